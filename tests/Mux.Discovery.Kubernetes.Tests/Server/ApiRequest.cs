using System.Text;
using Microsoft.AspNetCore.Http;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Kubernetes.Tests.Server;

/// <summary>A request that the source has sent, and that the test answers.</summary>
internal sealed class ApiRequest
{
    private readonly HttpContext _context;
    private readonly TaskCompletionSource _answered = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public ApiRequest(HttpContext context)
    {
        _context = context;
        Path = context.Request.Path.Value!;
        Authorization = context.Request.Headers.Authorization.ToString();
        Query = context.Request.Query.ToDictionary(entry => entry.Key, entry => entry.Value.ToString());
        context.RequestAborted.Register(() =>
        {
            Abandoned.Set();
            _answered.TrySetResult();
        });
    }

    public string Path { get; }

    public string Authorization { get; }

    public IReadOnlyDictionary<string, string> Query { get; }

    public bool IsWatch => Query.ContainsKey("watch");

    /// <summary>Set when the source has closed the connection before the end of the answer.</summary>
    public Signal Abandoned { get; } = new("the source closes a connection");

    /// <summary>Completes when the test has answered.</summary>
    public Task Answered => _answered.Task;

    /// <summary>Answers at once and whole.</summary>
    public async Task AnswerAsync(string json, int status = 200)
    {
        await OpenAsync(status);
        await SendAsync(json);
        End();
    }

    /// <summary>Begins an answer of unknown length.</summary>
    public async Task OpenAsync(int status = 200)
    {
        _context.Response.StatusCode = status;
        _context.Response.ContentType = "application/json";
        await _context.Response.StartAsync();
        await _context.Response.Body.FlushAsync();
    }

    /// <summary>Sends a part of the answer, as a chunk of its own.</summary>
    public Task SendAsync(string text) => SendAsync(Encoding.UTF8.GetBytes(text));

    /// <inheritdoc cref="SendAsync(string)"/>
    public async Task SendAsync(ReadOnlyMemory<byte> bytes)
    {
        await _context.Response.Body.WriteAsync(bytes);
        await _context.Response.Body.FlushAsync();
    }

    /// <summary>Ends the answer as HTTP does.</summary>
    public void End() => _answered.TrySetResult();

    /// <summary>Breaks the connection off.</summary>
    public void Break()
    {
        _context.Abort();
        _answered.TrySetResult();
    }
}
