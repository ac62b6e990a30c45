using Microsoft.AspNetCore.SignalR;

namespace FanOut.Stacks;

/// <summary>Counts its connections.</summary>
internal sealed class FeedHub : Hub
{
    private static int s_connections;

    public static int Connections => Volatile.Read(ref s_connections);

    public override Task OnConnectedAsync()
    {
        Interlocked.Increment(ref s_connections);
        return base.OnConnectedAsync();
    }
}
