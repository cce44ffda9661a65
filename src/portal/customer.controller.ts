import { applyDecorators, Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/auth.decorators.js';
import { OfPortal, SameOriginOnly } from '../http/route-config.js';
import { type TokenCookie, tokenCookie } from '../http/token-cookie.js';
import { RateLimit } from '../limits/rate-limit.guard.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { Config } from '../shared/config/config.js';
import { QueuedMail, RequestedLinkResponse } from '../shared/fields/response.decorators.js';
import {
  fromCursor,
  PageQuery,
  toListResponse,
  toPageRequest,
} from '../shared/pagination/page.query.js';
import { CustomerLicenses, GROUPS } from './customer-licenses.service.js';
import {
  CustomerLicenseList,
  PortalPageDto,
  PortalSessionResponse,
  toPortalPageDto,
} from './dto/customer.response.js';
import {
  CustomerLicenseParams,
  CustomerMachineParams,
  IssuerParam,
  PortalLoginDto,
  PortalTokenDto,
} from './dto/portal.dto.js';
import { PortalLogins } from './portal-logins.service.js';
import { SESSION_LIFE } from './portal-session.js';
import { PortalSessions } from './portal-sessions.service.js';
import { PortalSettingsService } from './portal-settings.service.js';

/** Shared by the routes of the portal; every other host returns 404. */
const PortalRoute = () =>
  applyDecorators(
    OfPortal(),
    RateLimit('portal'),
    ApiErrors('ROUTE_NOT_FOUND', 'PORTAL_NOT_FOUND', 'TOO_MANY_REQUESTS'),
  );

/** The same for routes that use the cookie and change something. */
const PortalWrite = () =>
  applyDecorators(PortalRoute(), SameOriginOnly(), ApiErrors('CROSS_ORIGIN_REQUEST'));

/** The cookie with the token of a client's session in one issuer's portal. */
const Cookie = tokenCookie(({ params }, isSecure) => {
  const { issuer } = params as { readonly issuer: string };
  // Browsers accept this prefix only from the host itself, over TLS.
  const name = `${isSecure ? '__Host-' : ''}portal-${issuer.toLowerCase()}`;
  return { name, path: '/', life: SESSION_LIFE };
});

/** The name in cursors of the list that starts at a group of licenses. */
const listOf = (group: number) => `customer-licenses-${group}`;

/** The group in which a page starts. */
const groupOf = ({ cursor = '' }: PageQuery): number =>
  Math.max(
    0,
    GROUPS.findIndex((_statuses, group) => fromCursor(listOf(group), cursor)),
  );

/** The routes of the customer portal, served only on its own host. */
@ApiTags('portal')
@Public()
@Controller('portal/:issuer')
export class CustomerController {
  constructor(
    private readonly portals: PortalSettingsService,
    private readonly logins: PortalLogins,
    private readonly sessions: PortalSessions,
    private readonly licenses: CustomerLicenses,
    private readonly config: Config,
  ) {}

  @Get()
  @PortalRoute()
  @Describe("Get a portal's page", 'What customers see before they sign in.')
  @Responds(200, 'The page', PortalPageDto)
  async getPortalPage(@Param() { issuer }: IssuerParam): Promise<PortalPageDto> {
    const { isOn: mailsLinks } = this.logins;
    return toPortalPageDto({ ...(await this.portals.find(issuer)), mailsLinks });
  }

  @Post('login')
  @OfPortal()
  @SameOriginOnly()
  @RateLimit('portalLogin')
  @Describe(
    'Request a link that signs a client in',
    'The response is the same whether or not the address is known and the portal is on. The link works once and ' +
      'expires after 15 minutes. At most five are sent an hour.',
  )
  @Responds(202, 'The link is sent if the address belongs to a client', RequestedLinkResponse)
  @ApiErrors('ROUTE_NOT_FOUND', 'CROSS_ORIGIN_REQUEST', 'TOO_MANY_REQUESTS', 'MAIL_OFF')
  async requestPortalLink(
    @Param() { issuer }: IssuerParam,
    @Body() { email }: PortalLoginDto,
  ): Promise<RequestedLinkResponse> {
    await this.logins.request(issuer, email);
    return { message: 'Check your email' };
  }

  @Post('session')
  @PortalWrite()
  @Describe(
    'Sign a client in to the portal',
    'The link then stops working. The session is a cookie that scripts cannot read. It ends after 30 minutes without ' +
      'a request, and after 8 hours at most. It also ends as soon as the portal is turned off or the account disabled, or the ' +
      'client is deleted or gets another email address.',
  )
  @Responds(200, 'The client is signed in', PortalSessionResponse)
  @ApiErrors('INVALID_LINK')
  async createPortalSession(
    @Param() { issuer }: IssuerParam,
    @Cookie() cookie: TokenCookie,
    @Body() { token }: PortalTokenDto,
  ): Promise<PortalSessionResponse> {
    cookie.store(await this.sessions.start(issuer, token));
    return { message: 'Signed in' };
  }

  @Delete('session')
  @PortalWrite()
  @Describe('Sign out of the portal', 'Ends the session and deletes the cookie.')
  @Responds(204, 'The session has ended')
  async deletePortalSession(
    @Param() { issuer }: IssuerParam,
    @Cookie() cookie: TokenCookie,
  ): Promise<void> {
    await this.sessions.end(issuer, cookie.read());
    cookie.clear();
  }

  @Get('licenses')
  @PortalRoute()
  @Describe(
    "List the client's licenses",
    'Paginated: usable licenses first, then expired and suspended ones, then revoked ones. Each group is sorted newest first.',
  )
  @Responds(200, 'A page of licenses', CustomerLicenseList)
  @ApiErrors('PORTAL_SESSION_ENDED')
  async listCustomerLicenses(
    @Param() { issuer }: IssuerParam,
    @Cookie() cookie: TokenCookie,
    @Query() query: PageQuery,
  ): Promise<CustomerLicenseList> {
    const group = groupOf(query);
    const request = toPageRequest(query, listOf(group));
    const visitor = await this.sessions.require(issuer, cookie.read());
    const { name: clientName, email: clientEmail } = visitor.client;
    const page = await this.licenses.list(visitor, request, group);
    const list = toListResponse(page, listOf(page.group), (one) => one);
    return { clientName, clientEmail, offlineDays: this.config.certificateDays, ...list };
  }

  @Post('licenses/:id/send')
  @PortalWrite()
  @Describe(
    "Email the key of one of the client's licenses",
    "Sends it to the client's own address. An address gets at most 20 mails an hour.",
  )
  @Responds(202, 'The mail is queued', QueuedMail)
  @ApiErrors(
    'PORTAL_SESSION_ENDED',
    'LICENSE_NOT_FOUND',
    'LICENSE_ALREADY_REVOKED',
    'MAIL_OFF',
    'ADDRESS_NOT_MAILABLE',
  )
  async sendCustomerKey(
    @Param() { issuer, id }: CustomerLicenseParams,
    @Cookie() cookie: TokenCookie,
  ): Promise<QueuedMail> {
    const visitor = await this.sessions.require(issuer, cookie.read());
    await this.licenses.sendKey(visitor, id);
    return { message: 'Mail queued' };
  }

  @Delete('licenses/:id/machines/:machineId')
  @PortalWrite()
  @Describe(
    "Release a machine of one of the client's licenses",
    'Works whatever the `release` of the license is. The limit `releasesPer30Days` of the portal includes releases by the machines ' +
      'themselves.',
  )
  @Responds(204, 'Machine released')
  @ApiErrors(
    'PORTAL_SESSION_ENDED',
    'LICENSE_NOT_FOUND',
    'LICENSE_REVOKED',
    'MACHINE_NOT_FOUND',
    'RELEASE_LIMIT_REACHED',
    'CERTIFICATE_OUTSTANDING',
  )
  async releaseCustomerMachine(
    @Param() { issuer, id, machineId }: CustomerMachineParams,
    @Cookie() cookie: TokenCookie,
  ): Promise<void> {
    const visitor = await this.sessions.require(issuer, cookie.read());
    await this.licenses.release(visitor, id, machineId);
  }
}
