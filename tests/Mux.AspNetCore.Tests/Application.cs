using System.Collections.Concurrent;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.AspNetCore.Tests;

/// <summary>An application whose server listens nowhere, with one endpoint of Kestrel on a free port of loopback.</summary>
internal sealed class Application : IAsyncDisposable
{
    private readonly List<MuxChannel> _channels = [];
    private readonly WebApplication _application;

    private Application(Action<ListenOptions, Application> endpoint, Action<MuxServerOptions>? options, Action<IServiceCollection>? services, Action<WebApplication>? map)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders().AddProvider(Logs).SetMinimumLevel(LogLevel.Debug);
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => endpoint(listen, this)));
        builder.Services.AddSingleton(Service).AddMuxServer(configure: options).AddService<IMixed, MixedService>();
        services?.Invoke(builder.Services);
        _application = builder.Build();
        map?.Invoke(_application);
    }

    public MixedService Service { get; } = new();

    public LogCollector Logs { get; } = new();

    /// <summary>What Kestrel accepted, where the endpoint was asked to <see cref="Watch"/>.</summary>
    public ConcurrentQueue<ConnectionContext> Connections { get; } = [];

    public IServiceProvider Services => _application.Services;

    public MuxServer Server => Services.GetRequiredService<MuxServer>();

    public int Port => new Uri(Assert.Single(_application.Urls)).Port;

    public static async Task<Application> StartAsync(
        Action<ListenOptions, Application> endpoint, Action<MuxServerOptions>? options = null, Action<IServiceCollection>? services = null, Action<WebApplication>? map = null)
    {
        var application = new Application(endpoint, options, services, map);
        await application._application.StartAsync(TestContext.Current.CancellationToken).Within("the start of the application");
        return application;
    }

    /// <summary>Keeps the connections of an endpoint, so that a test can abort them.</summary>
    public void Watch(ListenOptions endpoint) => endpoint.Use(next => connection =>
    {
        Connections.Enqueue(connection);
        return next(connection);
    });

    /// <summary>A channel, disposed with the application.</summary>
    public MuxChannel CreateChannel(Action<MuxChannelOptions>? configure = null)
    {
        var options = new MuxChannelOptions { Address = $"mux://127.0.0.1:{Port}" };
        configure?.Invoke(options);
        var channel = MuxChannel.Create(options);
        _channels.Add(channel);
        return channel;
    }

    public IMixed CreateClient(Action<MuxChannelOptions>? configure = null) => CreateChannel(configure).CreateProxy<IMixed>();

    public Task StopAsync() => _application.StopAsync(CancellationToken.None);

    public async ValueTask DisposeAsync()
    {
        foreach (var channel in _channels) await channel.DisposeAsync().AsTask().Within("the disposal of a channel");
        await StopAsync().Within("the stop of the application");
        await _application.DisposeAsync().AsTask().Within("the disposal of the application");
    }
}
