using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.DependencyInjection;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Kubernetes.Tests.Server;

/// <summary>An API server of Kubernetes that is played: it listens on loopback, and says what the test says.</summary>
internal sealed class ScriptedApiServer : IAsyncDisposable
{
    private readonly Channel<ApiRequest> _requests = Channel.CreateBounded<ApiRequest>(64);
    private readonly WebApplication _application;

    private ScriptedApiServer(X509Certificate2? certificate, Action<X509Certificate2?>? onClient)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, endpoint =>
        {
            if (certificate is null) return;
            endpoint.UseHttps(certificate, https =>
            {
                if (onClient is null) return;
                https.ClientCertificateMode = ClientCertificateMode.AllowCertificate;
                https.ClientCertificateValidation = (_, _, _) => true;
            });
        }));
        _application = builder.Build();
        _application.Run(async context =>
        {
            onClient?.Invoke(context.Connection.ClientCertificate);
            var request = new ApiRequest(context);
            await _requests.Writer.WriteAsync(request);
            await request.Answered;
        });
    }

    /// <summary>The address, such as <c>http://127.0.0.1:40001</c>.</summary>
    public Uri Address => new(_application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single());

    /// <summary>Requests that the test has not taken yet.</summary>
    public int Waiting => _requests.Reader.Count;

    public static async Task<ScriptedApiServer> StartAsync(X509Certificate2? certificate = null, Action<X509Certificate2?>? onClient = null)
    {
        var server = new ScriptedApiServer(certificate, onClient);
        await server._application.StartAsync();
        return server;
    }

    /// <summary>The next request, which must be a list.</summary>
    public async Task<ApiRequest> ListAsync()
    {
        var request = await _requests.Reader.ReadAsync().AsTask().Within("a list");
        Assert.False(request.IsWatch, "A list was expected, and a watch came.");
        return request;
    }

    /// <summary>The next request, which must be a watch.</summary>
    public async Task<ApiRequest> WatchAsync()
    {
        var request = await _requests.Reader.ReadAsync().AsTask().Within("a watch");
        Assert.True(request.IsWatch, "A watch was expected, and a list came.");
        return request;
    }

    public async ValueTask DisposeAsync()
    {
        while (_requests.Reader.TryRead(out var request)) request.End();
        using var now = new CancellationTokenSource(TimeSpan.Zero);
        await _application.StopAsync(now.Token);
        await _application.DisposeAsync();
    }
}
