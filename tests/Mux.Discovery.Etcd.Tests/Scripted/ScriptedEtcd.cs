using System.Collections.Concurrent;
using System.Net;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.Logging;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Etcd.Tests.Scripted;

/// <summary>An HTTP server that answers as a test says, where etcd itself would have to be brought into a rare state.</summary>
internal sealed class ScriptedEtcd : IAsyncDisposable
{
    private readonly WebApplication _application;
    private readonly ConcurrentDictionary<string, Func<HttpContext, JsonElement, Task>> _answers = [];
    private readonly ConcurrentQueue<ScriptedRequest> _requests = [];
    private readonly ConcurrentDictionary<HttpContext, SemaphoreSlim> _watches = [];

    private ScriptedEtcd(Action<HttpsConnectionAdapterOptions>? tls)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, endpoint =>
        {
            if (tls is not null) endpoint.UseHttps(tls);
        }));
        _application = builder.Build();
        _application.Run(AnswerAsync);
        Answer("/v3/kv/range", """{"header":{"revision":"7"}}""");
        On("/v3/watch", (context, _) => HoldWatchAsync(context, """{"result":{"header":{"revision":"7"},"created":true}}"""));
        Answer("/v3/kv/put", """{"header":{"revision":"8"}}""");
        Answer("/v3/lease/grant", """{"header":{},"ID":"77","TTL":"15"}""");
        Answer("/v3/lease/keepalive", """{"result":{"header":{},"ID":"77","TTL":"15"}}""");
        Answer("/v3/lease/revoke", """{"header":{}}""");
    }

    /// <summary>Host and port.</summary>
    public string Member => $"127.0.0.1:{new Uri(_application.Urls.Single()).Port}";

    public string Target => $"{(_application.Urls.Single().StartsWith("https:", StringComparison.Ordinal) ? "mux+etcds" : "mux+etcd")}://{Member}/orders";

    /// <summary>Paths of the requests so far, in their order, without their common beginning.</summary>
    public IReadOnlyList<string> Paths => [.. _requests.Select(request => request.Path["/v3/".Length..])];

    public IReadOnlyList<ScriptedRequest> Requests => [.. _requests];

    /// <param name="tls">TLS of the connections; null for none.</param>
    public static async Task<ScriptedEtcd> StartAsync(Action<HttpsConnectionAdapterOptions>? tls = null)
    {
        var etcd = new ScriptedEtcd(tls);
        await etcd._application.StartAsync().Within("the start of a scripted etcd");
        return etcd;
    }

    public void On(string path, Func<HttpContext, JsonElement, Task> answer) => _answers[path] = answer;

    public void Answer(string path, string json, int status = 200) => On(path, async (context, _) =>
    {
        context.Response.StatusCode = status;
        await context.Response.WriteAsync(json);
    });

    /// <summary>Answers never.</summary>
    public void Hang(string path) => On(path, (context, _) => UntilAbortedAsync(context));

    /// <summary>Lists these keys: names within the prefix, and values.</summary>
    public void List(long revision, params (string Name, string Value)[] keys)
    {
        var list = keys.Select(key => $$"""{"key":"{{Base64($"/orders/{key.Name}")}}","value":"{{Base64(key.Value)}}","mod_revision":"{{revision}}"}""");
        Answer("/v3/kv/range", $$"""{"header":{"revision":"{{revision}}"},"kvs":[{{string.Join(',', list)}}]}""");
    }

    /// <summary>Sends a line to all open watches.</summary>
    public async Task SendAsync(string line)
    {
        foreach (var (context, turn) in _watches)
        {
            await turn.WaitAsync();
            await context.Response.WriteAsync(line + "\n");
            await context.Response.Body.FlushAsync();
            turn.Release();
        }
    }

    /// <summary>Confirms a watch, and holds it open.</summary>
    public async Task HoldWatchAsync(HttpContext context, string first)
    {
        await context.Response.WriteAsync(first + "\n");
        await context.Response.Body.FlushAsync();
        _watches[context] = new SemaphoreSlim(1, 1);
        await UntilAbortedAsync(context);
        _watches.TryRemove(context, out _);
    }

    /// <summary>Waits for so many requests of a path.</summary>
    public Task ReachAsync(string path, int count) =>
        Eventually.Holds(() => Paths.Count(each => each == path) >= count, () => $"{count} requests {path}; there were {string.Join(", ", Paths)}");

    /// <summary>Waits for an open watch.</summary>
    public Task WatchedAsync() => Eventually.Holds(() => !_watches.IsEmpty, "an open watch");

    public async ValueTask DisposeAsync()
    {
        using var now = new CancellationTokenSource();
        await now.CancelAsync();
        await _application.StopAsync(now.Token).Within("the stop of a scripted etcd"); // open requests are aborted
        await _application.DisposeAsync();
    }

    public static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));

    private static async Task UntilAbortedAsync(HttpContext context)
    {
        var aborted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var registration = context.RequestAborted.Register(aborted.SetResult);
        await aborted.Task;
    }

    private async Task AnswerAsync(HttpContext context)
    {
        using var body = await JsonDocument.ParseAsync(context.Request.Body);
        var path = context.Request.Path.Value!;
        var headers = context.Request.Headers.ToDictionary(header => header.Key, header => header.Value.ToString(), StringComparer.OrdinalIgnoreCase);
        _requests.Enqueue(new ScriptedRequest(path, body.RootElement.Clone(), headers));
        if (_answers.TryGetValue(path, out var answer)) await answer(context, body.RootElement);
        else context.Response.StatusCode = 404;
    }
}
