using System.Collections.Concurrent;
using Migrating;
using Mux;
using Mux.TestSupport.EndToEnd;
using MuxChat;

namespace Samples.Tests;

/// <summary>The chat of docs/from-signalr.md.</summary>
public sealed class MigratedChatTests
{
    [Fact]
    public async Task Who_has_accepted_the_rules_joins_and_is_told_to_the_others()
    {
        await using var server = Start();
        var (annsWindow, bobsWindow) = (new Window(accepts: true), new Window(accepts: true));
        await using var ann = Connect(server, annsWindow);
        await using var bob = Connect(server, bobsWindow);

        await ann.CreateProxy<IChat>().Join("lobby", "ann");
        await bob.CreateProxy<IChat>().Join("lobby", "bob");
        await bob.CreateProxy<IChat>().Say("lobby", "hello");

        await Eventually.Holds(() => annsWindow.Lines.SequenceEqual(["bob has joined lobby", "bob: hello"]), () => string.Join(" | ", annsWindow.Lines));
        await Eventually.Holds(() => bobsWindow.Lines.SequenceEqual(["bob: hello"]), () => string.Join(" | ", bobsWindow.Lines));
    }

    [Fact]
    public async Task Who_does_not_accept_them_stays_outside()
    {
        await using var server = Start();
        await using var channel = Connect(server, new Window(accepts: false));

        var error = await Assert.ThrowsAsync<MuxException>(async () => await channel.CreateProxy<IChat>().Join("lobby", "ann"));

        Assert.Equal(MuxStatus.Aborted, error.Status);
    }

    [Fact]
    public async Task Lines_go_up_by_a_stream_and_come_back_by_another()
    {
        await using var server = Start();
        await using var channel = Connect(server, new Window(accepts: true));
        var chat = channel.CreateProxy<IChat>();

        Assert.Equal(3, await chat.Upload("lobby", new[] { "one", "two", "three" }.ToAsyncEnumerable()));

        Assert.Equal(["one", "two", "three"], await chat.Read("lobby", TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
    }

    private static MuxServer Start()
    {
        var server = new MuxServer("mux://127.0.0.1:0").AddService<IChat>(new MuxChat.Chat(new MuxGroups<string, IChatClient>(), new ChatLog()));
        server.Start();
        return server;
    }

    private static MuxChannel Connect(MuxServer server, Window window) =>
        MuxChannel.Create(new MuxChannelOptions { Address = server.Address.ToString() }.AddService<IChatClient>(window));

    private sealed class Window(bool accepts) : IChatClient
    {
        public ConcurrentQueue<string> Lines { get; } = new();

        public ValueTask Joined(string room, string name) => Show($"{name} has joined {room}");

        public ValueTask Said(string room, string name, string text) => Show($"{name}: {text}");

        public ValueTask<bool> Confirm(string question) => new(accepts);

        private ValueTask Show(string line)
        {
            Lines.Enqueue(line);
            return default;
        }
    }
}
