using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;

namespace Mux.Tests.Server;

/// <summary>A host whose groups are shared by Redis, until its standard input ends.</summary>
internal sealed class SharedRooms(MuxGroups<string, IGuest> rooms, MuxPeers<IGuest> peers) : IRooms
{
    /// <param name="redis">Where Redis is.</param>
    public static async Task RunAsync(string redis)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders(); // the standard output is for the address
        builder.Services.AddMuxRedis(redis, static options => options.Timeout = TimeSpan.FromSeconds(10)); // no loaded machine is an interruption
        builder.Services.AddMuxGroups<string, IGuest>(groups => groups.IsShared = true).AddMuxPeers<IGuest>(static peers => peers.IsShared = true);
        builder.Services.AddMuxServer("mux://127.0.0.1:0").AddService<IRooms, SharedRooms>();
        using var host = builder.Build();
        await host.StartAsync();
        await Console.Out.WriteLineAsync(host.Services.GetRequiredService<MuxServer>().Address.ToString());
        await Console.In.ReadLineAsync();
        await host.StopAsync();
    }

    public ValueTask Enter(string room, MuxCallOptions? options = null)
    {
        rooms[room].Add(options!.Caller!);
        return default;
    }

    public async ValueTask Say(string room, int speaker, int first, int count)
    {
        for (int i = 0; i < count; i++) await rooms[room].All.Heard(speaker, first + i);
    }

    public ValueTask<string> Name(MuxCallOptions? options = null) => new(options!.Caller!.Id);

    public ValueTask Whisper(string id, int speaker, int number) => peers.WithId(id).Heard(speaker, number);
}
