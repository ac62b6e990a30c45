using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Transports.InMemory;

namespace Mux.Tests.Hosting;

/// <summary>Tests of generic hosts that reach each other through a network of their own.</summary>
public abstract class HostingTests : EndToEndTests
{
    protected const string Address = "mux://host:7070";

    protected InMemoryTransport Transport { get; } = new();

    protected LogCollector Logs { get; } = new();

    /// <summary>A host to be, with nothing in it but a configuration, logs and the network.</summary>
    protected HostApplicationBuilder NewHost(params (string Key, string Value)[] configuration)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection(configuration.Select(entry => KeyValuePair.Create<string, string?>(entry.Key, entry.Value)));
        builder.Logging.SetMinimumLevel(LogLevel.Trace).AddProvider(Logs);
        builder.Services.ConfigureAll<MuxServerOptions>(options => options.Transport = Transport);
        builder.Services.ConfigureAll<MuxChannelOptions>(options => options.Transport = Transport);
        return builder;
    }

    protected static async Task<RunningHost> StartAsync(HostApplicationBuilder builder)
    {
        var host = builder.Build();
        await host.StartAsync(TestContext.Current.CancellationToken).Within("the start of a host");
        return new RunningHost(host);
    }

    /// <summary>A host that does not start.</summary>
    protected static async Task<T> FailsToStartAsync<T>(HostApplicationBuilder builder)
        where T : Exception
    {
        using var host = builder.Build();
        return await Assert.ThrowsAsync<T>(() => host.StartAsync(TestContext.Current.CancellationToken));
    }
}
