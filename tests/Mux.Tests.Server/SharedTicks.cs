using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;

namespace Mux.Tests.Server;

/// <summary>A host whose topics are shared by Redis, until its standard input ends.</summary>
internal sealed class SharedTicks(MuxTopics<string, SharedTick> ticks) : ITicks
{
    /// <param name="redis">Where Redis is.</param>
    public static async Task RunAsync(string redis)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders(); // the standard output is for the address
        builder.Services.AddMuxRedis(redis, static options => options.Timeout = TimeSpan.FromSeconds(10)); // no loaded machine is an interruption
        builder.Services.AddMuxTopics<string, SharedTick>(topics =>
        {
            (topics.Queue, topics.Retain) = (1024, 5);
            topics.ShareAs<ITicks>();
        });
        builder.Services.AddMuxServer("mux://127.0.0.1:0").AddService<ITicks, SharedTicks>();
        using var host = builder.Build();
        await host.StartAsync();
        await Console.Out.WriteLineAsync(host.Services.GetRequiredService<MuxServer>().Address.ToString());
        await Console.In.ReadLineAsync();
        await host.StopAsync();
    }

    public IAsyncEnumerable<SharedTick> Watch(string key, CancellationToken cancellationToken = default) => ticks.Subscribe(key);

    public ValueTask Publish(string key, int publisher, int first, int count, CancellationToken cancellationToken = default)
    {
        for (int i = 0; i < count; i++) ticks.Publish(key, new SharedTick { Publisher = publisher, Index = first + i });
        return ValueTask.CompletedTask;
    }
}
