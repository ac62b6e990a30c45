using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Chatting;

[MuxService("chat.Chat")]
public interface IChat
{
    ValueTask Join(string name, MuxCallOptions? options = null, CancellationToken cancellationToken = default);
}

[MuxService("chat.Client")]
public interface IChatClient
{
    ValueTask<bool> Confirm(string question, CancellationToken cancellationToken = default);

    [MuxMethod(OneWay = true)]
    ValueTask Joined(string name);
}

public sealed class Chat(MuxGroup<IChatClient> room) : IChat
{
    public async ValueTask Join(string name, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        var caller = options!.Caller!;
        if (!await caller.Get<IChatClient>().Confirm("Do you accept the rules?", cancellationToken)) throw new MuxException(MuxStatus.Aborted, "No rules, no chat.");
        room.Add(caller); // it leaves by itself when its connection ends
        await room.Except(caller).Joined(name);
    }
}

public sealed class ChatWindow : IChatClient
{
    public ValueTask<bool> Confirm(string question, CancellationToken cancellationToken) => new(true);

    public ValueTask Joined(string name)
    {
        Console.WriteLine($"{name} has joined.");
        return default;
    }
}

public static class ChatSetup
{
    public static void AddChatServer(this IServiceCollection services)
    {
        services.AddMuxGroup<IChatClient>();
        services.AddMuxServer("muxs://0.0.0.0:7070").AddService<IChat, Chat>();
    }

    public static void AddChatClient(this IServiceCollection services)
    {
        services.AddMuxClient("muxs://chat.example:7070", client => client.KeepConnected = true)
            .AddProxy<IChat>()
            .AddService<IChatClient, ChatWindow>()
            .OnOpened((peer, cancellationToken) => peer.Get<IChat>().Join("ann", cancellationToken: cancellationToken));
    }

    public static async Task ChatAsync(CancellationToken cancellationToken)
    {
        var options = new MuxChannelOptions
        {
            Address = "muxs://chat.example:7070",
            KeepConnected = true,
            OnOpened = (peer, cancellationToken) => peer.Get<IChat>().Join("ann", cancellationToken: cancellationToken),
        };
        await using var channel = MuxChannel.Create(options.AddService<IChatClient>(new ChatWindow()));
        await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
    }
}
