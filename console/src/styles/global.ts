import './tokens.css';
import './base.css';
// The look of the element, which components refine.
import '../shared/ui/button.module.css';
