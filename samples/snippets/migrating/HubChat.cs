using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.SignalR;
using Microsoft.Extensions.DependencyInjection;
using Migrating;

namespace HubChat;

public interface IChatClient
{
    Task Joined(string room, string name);
    Task Said(string room, string name, string text);
    Task<bool> Confirm(string question);
}

public sealed class ChatHub(ChatLog log) : Hub<IChatClient>
{
    public async Task Join(string room, string name)
    {
        if (!await Clients.Caller.Confirm($"Do you accept the rules of {room}?")) throw new HubException("No rules, no chat.");
        Context.Items["name"] = name;
        await Groups.AddToGroupAsync(Context.ConnectionId, room);
        await Clients.OthersInGroup(room).Joined(room, name);
    }

    public async Task Say(string room, string text)
    {
        var name = (string)Context.Items["name"]!;
        log.Add(room, $"{name}: {text}");
        await Clients.Group(room).Said(room, name, text);
    }

    public IAsyncEnumerable<string> Read(string room, CancellationToken cancellationToken) => log.ReadAsync(room, cancellationToken);

    public Task<int> Upload(string room, IAsyncEnumerable<string> lines) => log.AddAllAsync(room, lines);
}

public static class HubHost
{
    public static void Run(WebApplicationBuilder builder)
    {
        builder.Services.AddSingleton<ChatLog>();
        builder.Services.AddSignalR(hubs => hubs.MaximumParallelInvocationsPerClient = 2); // Join waits for an answer of its caller
        var app = builder.Build();
        app.MapHub<ChatHub>("/chat");
        app.Run("http://0.0.0.0:7070");
    }
}
