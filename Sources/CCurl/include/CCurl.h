#pragma once
#include <curl/curl.h>

// libcurl's setters and getters are variadic, which Swift cannot call. One function per type of argument.

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);

typedef size_t (*ccurl_data_function)(char *bytes, size_t size, size_t count, void *context);
CURLcode ccurl_set_data_function(CURL *easy, CURLoption option, ccurl_data_function function);
CURLcode ccurl_set_open_socket_function(CURL *easy, curl_opensocket_callback function, void *context);
CURLcode ccurl_set_close_socket_function(CURL *easy, curl_closesocket_callback function, void *context);
CURLcode ccurl_set_prerequest_function(CURL *easy, curl_prereq_callback function, void *context);

long ccurl_info_long(CURL *easy, CURLINFO info);
const char *ccurl_info_text(CURL *easy, CURLINFO info);
struct curl_slist *ccurl_info_list(CURL *easy, CURLINFO info);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_set_socket_function(CURLM *multi, curl_socket_callback function, void *context);
CURLMcode ccurl_multi_set_timer_function(CURLM *multi, curl_multi_timer_callback function, void *context);
