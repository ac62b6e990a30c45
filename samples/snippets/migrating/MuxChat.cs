using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Migrating;
using Mux;

namespace MuxChat;

[MuxService("chat.Client")]
public interface IChatClient
{
    [MuxMethod(OneWay = true)] ValueTask Joined(string room, string name);
    [MuxMethod(OneWay = true)] ValueTask Said(string room, string name, string text);
    ValueTask<bool> Confirm(string question);
}

[MuxService("chat.Chat")]
public interface IChat
{
    ValueTask Join(string room, string name, MuxCallOptions? options = null);
    ValueTask Say(string room, string text, MuxCallOptions? options = null);
    IAsyncEnumerable<string> Read(string room, CancellationToken cancellationToken = default);
    ValueTask<int> Upload(string room, IAsyncEnumerable<string> lines);
}

public sealed class Chat(MuxGroups<string, IChatClient> rooms, ChatLog log) : IChat
{
    public async ValueTask Join(string room, string name, MuxCallOptions? options)
    {
        var caller = options!.Caller!;
        if (!await caller.Get<IChatClient>().Confirm($"Do you accept the rules of {room}?")) throw new MuxException(MuxStatus.Aborted, "No rules, no chat.");
        caller.State<Member>().Name = name;
        rooms[room].Add(caller);
        await rooms[room].Except(caller).Joined(room, name);
    }

    public async ValueTask Say(string room, string text, MuxCallOptions? options)
    {
        var name = options!.Caller!.State<Member>().Name;
        log.Add(room, $"{name}: {text}");
        await rooms[room].All.Said(room, name, text);
    }

    public IAsyncEnumerable<string> Read(string room, CancellationToken cancellationToken) => log.ReadAsync(room, cancellationToken);

    public async ValueTask<int> Upload(string room, IAsyncEnumerable<string> lines) => await log.AddAllAsync(room, lines);

    private sealed class Member
    {
        public string Name { get; set; } = "";
    }
}

public static class MuxHost
{
    public static void Run(HostApplicationBuilder builder)
    {
        builder.Services.AddSingleton<ChatLog>();
        builder.Services.AddMuxGroups<string, IChatClient>();
        builder.Services.AddMuxServer("mux://0.0.0.0:7070", server => server.AllowPlaintext = true).AddService<IChat, Chat>();
        builder.Build().Run();
    }
}

public sealed class ChatWindow : IChatClient
{
    public ValueTask Joined(string room, string name) => Show($"{name} has joined {room}.");

    public ValueTask Said(string room, string name, string text) => Show($"{name}: {text}");

    public ValueTask<bool> Confirm(string question) => new(true);

    private static ValueTask Show(string line)
    {
        Console.WriteLine(line);
        return default;
    }
}

public static class MuxClient
{
    public static async Task RunAsync(IAsyncEnumerable<string> lines)
    {
        var options = new MuxChannelOptions { Address = "mux://chat:7070", KeepConnected = true, OnOpened = (server, _) => server.Get<IChat>().Join("lobby", "ann") };
        await using var channel = await MuxChannel.ConnectAsync(options.AddService<IChatClient>(new ChatWindow()));
        var chat = channel.CreateProxy<IChat>();
        await chat.Say("lobby", "hello");
        Console.WriteLine(await chat.Upload("lobby", lines));
        await foreach (var line in chat.Read("lobby")) Console.WriteLine(line);
    }
}
