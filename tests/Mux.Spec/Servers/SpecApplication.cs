using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Mux.ProtocolCases.Serving;

namespace Mux.Spec.Servers;

/// <summary>An application whose server listens nowhere itself.</summary>
internal sealed class SpecApplication : IAsyncDisposable
{
    private readonly WebApplication _application;
    private readonly bool _isWebSocket;

    private SpecApplication(bool isWebSocket)
    {
        _isWebSocket = isWebSocket;
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, Configure));
        builder.Services.AddMuxServer(string.Empty).AddService<ISpec, SpecService>().AddService<IMessages, MessageService>();
        _application = builder.Build();
        if (isWebSocket) _application.MapMuxWebSocket("/mux");
    }

    public MuxAddress Address
    {
        get
        {
            int port = new Uri(_application.Urls.Single()).Port;
            return MuxAddress.Parse(_isWebSocket ? $"mux+ws://127.0.0.1:{port}/mux" : $"mux://127.0.0.1:{port}");
        }
    }

    public static async Task<SpecApplication> StartAsync(bool isWebSocket)
    {
        var application = new SpecApplication(isWebSocket);
        await application._application.StartAsync();
        return application;
    }

    public async ValueTask DisposeAsync()
    {
        await _application.StopAsync();
        await _application.DisposeAsync();
    }

    private void Configure(ListenOptions endpoint)
    {
        if (!_isWebSocket) endpoint.UseMux();
    }
}
