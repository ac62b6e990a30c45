using System.Globalization;
using System.Net.Http.Json;
using System.Reflection;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using SideBySide.Contracts;
using SideBySide.Load;

namespace SideBySide.Stacks.Json;

/// <summary>Minimal APIs of Kestrel and one HttpClient over HTTP/1.1: a connection for each call in flight, as nothing is pipelined.</summary>
internal sealed class HttpStack : Stack
{
    public override string Name => "http-json";

    public override string Title => "HTTP/1.1, JSON";

    public override IReadOnlyList<Assembly> Assemblies => [typeof(KestrelServerOptions).Assembly, typeof(JsonSerializer).Assembly];

    public override string Settings => "minimal API; one HttpClient, MaxConnectionsPerServer as many as calls in flight; no proxy, redirects, cookies, trace headers; source-generated JSON; echoes as plain bytes";

    public override Task<RunningServer> StartAsync() => WebServer.StartAsync(
        HttpProtocols.Http1,
        static services => services.ConfigureHttpJsonOptions(static json => json.SerializerOptions.TypeInfoResolverChain.Insert(0, DirectoryJson.Default)),
        static app =>
        {
            app.MapPost("/search", static (SearchEmployee query) => Answers.AnswerTo(query.RequestTime));
            app.MapPost("/echo", static async (HttpRequest request) =>
            {
                var content = new byte[request.ContentLength ?? 0];
                await request.Body.ReadExactlyAsync(content);
                return Results.Bytes(content);
            });
            app.MapGet("/read", static (long first, int count) => Answers.Stream(first, count));
        });

    public override Task<IStackClient> ConnectAsync(int port, Shape shape)
    {
        var handler = Loopback.Handler();
        handler.MaxConnectionsPerServer = shape.Callers;
        handler.UseProxy = false;
        handler.AllowAutoRedirect = false;
        handler.UseCookies = false;
        handler.ActivityHeadersPropagator = null;
        return Task.FromResult<IStackClient>(new Client(new HttpClient(handler) { BaseAddress = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}/")) }));
    }

    private sealed class Client(HttpClient http) : IStackClient
    {
        public Task SearchAsync(int connection, Caller caller)
        {
            return caller.CallAsync(SearchAsync, Answers.IsAnswerTo);

            async ValueTask<Employee> SearchAsync(double number)
            {
                using var response = await http.PostAsJsonAsync("search", new SearchEmployee { Id = 1, RequestTime = number }, DirectoryJson.Default.SearchEmployee).ConfigureAwait(false);
                response.EnsureSuccessStatusCode();
                return (await response.Content.ReadFromJsonAsync(DirectoryJson.Default.Employee).ConfigureAwait(false))!;
            }
        }

        public Task EchoAsync(int connection, Caller caller)
        {
            return caller.EchoAsync(EchoAsync, static reply => reply);

            async ValueTask<byte[]> EchoAsync(byte[] content)
            {
                using var body = new ByteArrayContent(content);
                using var response = await http.PostAsync("echo", body).ConfigureAwait(false);
                response.EnsureSuccessStatusCode();
                return await response.Content.ReadAsByteArrayAsync().ConfigureAwait(false);
            }
        }

        public Task ReadAsync(int connection, Caller caller) => caller.ReadAsync(
            (first, count) => http.GetFromJsonAsAsyncEnumerable(string.Create(CultureInfo.InvariantCulture, $"read?first={first}&count={count}"), DirectoryJson.Default.Employee),
            static (number, item) => item is not null && Answers.IsAnswerTo(number, item));

        public ValueTask DisposeAsync()
        {
            http.Dispose();
            return default;
        }
    }
}
