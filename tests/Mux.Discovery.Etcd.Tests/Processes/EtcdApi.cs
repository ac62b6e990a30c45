using System.Net.Http.Json;
using System.Text;
using System.Text.Json;

namespace Mux.Discovery.Etcd.Tests.Processes;

/// <summary>What tests do with a member of etcd themselves, as an administrator or another program would.</summary>
internal sealed class EtcdApi(string member) : IDisposable
{
    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = new Uri($"http://{member}"), Timeout = TimeSpan.FromSeconds(10) };

    /// <summary>Requests have it from now on.</summary>
    public string? Token { get; set; }

    /// <summary>True if the member has a leader and serves.</summary>
    public bool IsHealthy()
    {
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/health");
            using var response = _http.Send(request);
            return response.IsSuccessStatusCode;
        }
        catch (Exception e) when (e is HttpRequestException or TaskCanceledException)
        {
            return false;
        }
    }

    /// <summary>Writes an endpoint under a name.</summary>
    public Task PutAsync(string key, string address, string more = "") =>
        PostAsync("/v3/kv/put", new { key = Base64(key), value = Base64($$"""{"address":"{{address}}"{{more}}}""") });

    public Task DeleteAsync(string key) => PostAsync("/v3/kv/deleterange", new { key = Base64(key) });

    /// <summary>The keys with a beginning, and their values.</summary>
    public async Task<(string Key, string Value)[]> ListAsync(string prefix)
    {
        var list = await PostAsync("/v3/kv/range", new { key = Base64(prefix), range_end = Base64(prefix[..^1] + (char)(prefix[^1] + 1)) });
        return list.TryGetProperty("kvs", out var keys) ? [.. keys.EnumerateArray().Select(key => (Text(key, "key"), Text(key, "value")))] : [];
    }

    /// <inheritdoc cref="ListAsync"/>
    public (string Key, string Value)[] List(string prefix) => ListAsync(prefix).GetAwaiter().GetResult();

    /// <summary>Drops the history up to the present revision.</summary>
    public async Task CompactAsync()
    {
        var list = await PostAsync("/v3/kv/range", new { key = Base64("x") });
        await PostAsync("/v3/kv/compaction", new { revision = list.GetProperty("header").GetProperty("revision").GetString(), physical = true });
    }

    /// <summary>Ends all leases.</summary>
    public async Task RevokeLeasesAsync()
    {
        var list = await PostAsync("/v3/lease/leases", new { });
        foreach (var lease in list.GetProperty("leases").EnumerateArray()) await PostAsync("/v3/lease/revoke", new { ID = lease.GetProperty("ID").GetString() });
    }

    public async Task<JsonElement> PostAsync(string path, object body)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, path) { Content = JsonContent.Create(body, options: JsonSerializerOptions.Default) };
        if (Token is not null) request.Headers.TryAddWithoutValidation("Authorization", Token);
        using var response = await _http.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        return response.IsSuccessStatusCode ? JsonDocument.Parse(text).RootElement.Clone() : throw new HttpRequestException($"{path}: {text}");
    }

    public void Dispose() => _http.Dispose();

    private static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));

    private static string Text(JsonElement key, string property) => key.TryGetProperty(property, out var bytes) ? Encoding.UTF8.GetString(bytes.GetBytesFromBase64()) : "";
}
