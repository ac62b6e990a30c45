using System.Reflection;
using StackExchange.Redis;

namespace Mux.Redis.Tests;

/// <summary>The subscriptions of a connection to Redis, which answers when the test says so.</summary>
public class SilentSubscriber : DispatchProxy
{
    /// <summary>The answer to all that subscribe.</summary>
    public TaskCompletionSource<ChannelMessageQueue> Answer { get; } = new();

    /// <summary>How often something subscribed.</summary>
    public int Subscribed { get; private set; }

    /// <inheritdoc/>
    protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
    {
        if (targetMethod!.Name != nameof(ISubscriber.SubscribeAsync)) return null;
        Subscribed++;
        return Answer.Task;
    }
}
