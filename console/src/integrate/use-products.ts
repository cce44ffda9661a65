import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { rowsOf } from '../api/pages.js';
import { allProjectsQuery } from './product-queries.js';

/** The number of project pages to search for products. */
const MAX_PAGES = 10;

/** The distinct products of the newest projects; undefined until the first page arrives. */
export function useProducts() {
  const query = useInfiniteQuery(allProjectsQuery);
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const isMore = hasNextPage && (data?.pages.length ?? 0) < MAX_PAGES;
  useEffect(() => {
    if (isMore && !isFetching && !isError) void fetchNextPage();
  }, [isMore, isFetching, isError, fetchNextPage]);
  const products = data && rowsOf(data).flatMap(({ product }) => product ?? []);
  return { ...query, data: products && [...new Set(products)] };
}
