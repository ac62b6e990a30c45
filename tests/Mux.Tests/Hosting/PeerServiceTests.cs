using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Mux.Tests.Peers;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Hosting;

/// <summary>Services of a server whose instances belong to connections, and what learns of connections.</summary>
public sealed class PeerServiceTests : HostingTests
{
    [Fact]
    public async Task A_connection_has_an_instance_and_a_scope_of_its_own_and_both_end_with_it()
    {
        var notes = new Notes();
        await using var server = await StartAsync(NewServer(notes, static server => server.AddPeerService<IBounce, Session>()));
        await using var ann = await StartAsync(NewClient());
        await using var bob = await StartAsync(NewClient());
        var (anns, bobs) = (ann.Services.GetRequiredService<IBounce>(), bob.Services.GetRequiredService<IBounce>());
        for (int call = 1; call <= 3; call++) Assert.Equal(call, await anns.Bounce(0, cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal(1, await bobs.Bounce(0, cancellationToken: TestContext.Current.CancellationToken));
        await Eventually.Holds(() => notes.All.Count == 2, "both connections to be told of"); // calls may run meanwhile
        var id = server.Services.GetRequiredService<MuxPeers>().Select(static peer => peer.Id).Order().ToArray();
        Assert.Equal(id, notes.All.Where(static note => note.StartsWith("opened ", StringComparison.Ordinal)).Select(static note => note[7..]).Order());

        await ann.DisposeAsync();

        await notes.Disposals.ReachAsync(1);
        Assert.Equal(["PeerDrained", "disposed"], notes.All.Skip(2));
        Assert.Equal(2, await bobs.Bounce(0, cancellationToken: TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task What_learns_of_connections_learns_of_each_and_of_its_end_in_the_opposite_order()
    {
        var notes = new Notes();
        await using var server = await StartAsync(NewServer(notes, static server => server.AddService<IBounce, Bouncer>().AddPeerEvents<First>().AddPeerEvents<Second>()));
        await using (var client = await StartAsync(NewClient()))
        {
            await client.Services.GetRequiredService<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken);
            await Eventually.Holds(() => notes.All.Count == 2, "both to know of the connection");
        }

        await Eventually.Holds(() => notes.All.Count == 4, () => $"both to know of its end; there is {string.Join(", ", notes.All)}");
        Assert.Equal(["first", "second", "second PeerDrained", "first PeerDrained"], notes.All);
    }

    [Fact]
    public async Task A_connection_that_is_not_wanted_ends_and_the_log_says_why()
    {
        var notes = new Notes { Refuses = true };
        await using var server = await StartAsync(NewServer(notes, static server => server.AddService<IBounce, Bouncer>().AddPeerEvents<First>().AddPeerEvents<Second>()));
        await using var client = await StartAsync(NewClient());
        _ = client.Services.GetRequiredService<MuxChannel>().ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => notes.All.Contains("first Refused"), () => $"the end of the connection; there is {string.Join(", ", notes.All)}");
        Assert.DoesNotContain(notes.All, static note => note.StartsWith("second", StringComparison.Ordinal));
        Assert.Equal("No.", (await Logs.ReachAsync("OnConnectedFailed"))[0].Error!.Message);
    }

    [Fact]
    public async Task A_peer_is_injected_where_a_connection_is_and_nowhere_else()
    {
        var builder = NewServer(new Notes(), static server => server.AddPeerService<IBounce, Session>());
        await using var server = await StartAsync(builder);
        await using var scope = server.Services.CreateAsyncScope();
        var failure = Assert.Throws<InvalidOperationException>(() => scope.ServiceProvider.GetRequiredService<MuxPeer>());
        Assert.Contains("AddPeerService", failure.Message, StringComparison.Ordinal);
    }

    private Microsoft.Extensions.Hosting.HostApplicationBuilder NewServer(Notes notes, Action<DependencyInjection.IMuxServerBuilder> add)
    {
        var builder = NewHost();
        builder.Services.AddSingleton(notes).AddScoped<Part>();
        add(builder.Services.AddMuxServer(Address, options => options.AllowPlaintext = true));
        return builder;
    }

    private Microsoft.Extensions.Hosting.HostApplicationBuilder NewClient()
    {
        var builder = NewHost();
        builder.Services.AddMuxClient(Address).AddProxy<IBounce>();
        return builder;
    }

    internal sealed class Notes
    {
        private readonly ConcurrentQueue<string> _all = [];

        public bool Refuses { get; init; }

        public IReadOnlyCollection<string> All => _all;

        public Counter Disposals { get; } = new("scopes that were disposed");

        public void Add(string note) => _all.Enqueue(note);
    }

    /// <summary>Lives as long as the scope of a connection.</summary>
    internal sealed class Part(Notes notes) : IDisposable
    {
        public int Calls { get; set; }

        public void Dispose()
        {
            notes.Add("disposed");
            notes.Disposals.Add();
        }
    }

    internal sealed class Session(MuxPeer peer, Part part, Notes notes) : PeerHostingTests.Bounces, IMuxPeerEvents
    {
        public override ValueTask<int> Bounce(int timesLeft, MuxCallOptions? options, CancellationToken cancellationToken)
        {
            Assert.Same(peer, options!.Caller);
            return new(++part.Calls);
        }

        public ValueTask OnConnectedAsync(MuxPeer connected, CancellationToken cancellationToken)
        {
            Assert.Same(peer, connected);
            notes.Add($"opened {peer.Id}");
            return default;
        }

        public async ValueTask OnDisconnectedAsync(MuxPeer disconnected, string reason)
        {
            await Task.Yield();
            Assert.Same(peer, disconnected);
            notes.Add(reason);
        }
    }

    internal sealed class First(Notes notes) : IMuxPeerEvents
    {
        public ValueTask OnConnectedAsync(MuxPeer peer, CancellationToken cancellationToken)
        {
            notes.Add("first");
            return notes.Refuses ? throw new IOException("No.") : default;
        }

        public ValueTask OnDisconnectedAsync(MuxPeer peer, string reason)
        {
            notes.Add($"first {reason}");
            return default;
        }
    }

    internal sealed class Second(Notes notes) : IMuxPeerEvents
    {
        public ValueTask OnConnectedAsync(MuxPeer peer, CancellationToken cancellationToken)
        {
            notes.Add("second");
            return default;
        }

        public ValueTask OnDisconnectedAsync(MuxPeer peer, string reason)
        {
            notes.Add($"second {reason}");
            return default;
        }
    }
}
