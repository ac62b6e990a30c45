using System.Diagnostics.Metrics;
using System.Security.Cryptography;
using Mux.Backplanes;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Push;

/// <summary>What the groups of one object of the user share.</summary>
/// <param name="Methods">The methods that they call.</param>
/// <param name="Counters">Counts for all of them.</param>
/// <param name="FanOut">Sends to many members.</param>
internal sealed record GroupKind(GroupMethods Methods, GroupCounters Counters, FanOut FanOut)
{
    public const long DefaultQueuedBytes = 1 << 20;

    public static TimeSpan DefaultWaitTimeout { get; } = TimeSpan.FromSeconds(5);

    /// <summary>The kind of the calls to one peer alone, which wait with those of its groups. No metric shows it.</summary>
    public static GroupKind Alone { get; } = new(GroupMethods.None, new GroupCounters(string.Empty), FanOut.OfProcess) { WaitTimeout = 0 };

    /// <summary>Carries calls to the members at other servers; null if all members are in this process.</summary>
    public GroupRelay? Relay { get; init; }

    /// <summary>Tells what comes from here from what comes from others.</summary>
    public ulong Origin { get; init; } = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    /// <summary>Bytes of calls that may wait for one member, without those whose callers wait; 0 if none may.</summary>
    public long QueuedBytes { get; init; } = DefaultQueuedBytes;

    public MuxSlowMember WhenSlow { get; init; }

    /// <summary>How long callers wait for a member whose queue is full, in microseconds.</summary>
    public long WaitTimeout { get; init; } = Clock.Microseconds(DefaultWaitTimeout);

    /// <summary>What the names of the groups begin with at all servers.</summary>
    public string Prefix => $"groups:{Counters.Name}:";

    /// <summary>Makes groups whose members serve a contract.</summary>
    /// <param name="name">Their name in metrics; empty for that of the contract.</param>
    /// <param name="meters">Makes the meters; null for those of the process.</param>
    /// <param name="backplane">Carries calls between servers; null if all members are in this process.</param>
    /// <exception cref="InvalidOperationException">The interface is no contract, or none of its methods is one-way.</exception>
    public static GroupKind Of<TService>(string name, IMeterFactory? meters, MuxBackplane? backplane = null)
        where TService : class
    {
        var methods = GroupMethods.Of<TService>();
        var counters = new GroupCounters(name.Length > 0 ? name : methods.Service);
        MuxMetrics.For(meters).Groups.Add(counters);
        return new GroupKind(methods, counters, FanOut.OfProcess) { Relay = backplane is null ? null : new BackplaneRelay(backplane) };
    }
}

/// <summary>The one-way methods of a contract, by name. Does not change once it is made.</summary>
internal sealed class GroupMethods : IMethodVisitor
{
    private readonly Dictionary<string, GroupMethod> _byName = new(StringComparer.Ordinal);

    private GroupMethods(string service, Func<MuxPeer, object> proxyOf) => (Service, ProxyOf) = (service, proxyOf);

    /// <summary>Those of no contract.</summary>
    public static GroupMethods None { get; } = new(string.Empty, static peer => peer);

    /// <summary>The wire name of the contract.</summary>
    public string Service { get; }

    /// <summary>Gets the proxy of a peer.</summary>
    public Func<MuxPeer, object> ProxyOf { get; }

    public IEnumerable<GroupMethod> All => _byName.Values;

    /// <summary>Gets the methods of a contract.</summary>
    /// <exception cref="InvalidOperationException">The interface is no contract, or none of its methods is one-way.</exception>
    public static GroupMethods Of<TService>()
        where TService : class
    {
        var contract = ServiceContract<TService>.Get();
        var methods = new GroupMethods(contract.Name, static peer => peer.Get<TService>());
        contract.Describe(methods);
        if (methods._byName.Count > 0) return methods;
        throw new InvalidOperationException(
            $"{typeof(TService)} has no method with [MuxMethod(OneWay = true)], and a group calls no others: a call that goes to many peers has no reply.");
    }

    /// <summary>Finds a method by its full name; null if the contract has no such one-way method.</summary>
    public GroupMethod? Find(string fullName) => _byName.GetValueOrDefault(fullName);

    void IMethodVisitor.Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        if ((method.Descriptor.Shape & MethodShape.OneWay) == 0) return;
        method.Prepare();
        _byName.Add(method.Descriptor.FullName, new TypedGroupMethod<TRequest, TResponse>(method));
    }
}

/// <summary>A one-way method that groups call, with its messages.</summary>
internal sealed class TypedGroupMethod<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) : GroupMethod(method.Descriptor)
{
    public MessageCodec<TRequest> Requests { get; } = method.Requests;

    public override ValueTask InvokeAsync(object service, ReadOnlySpan<byte> body)
    {
        var running = method.Invoke(service, Requests.Decode(body), null, CancellationToken.None);
        return running.IsCompletedSuccessfully ? default : new ValueTask(running.AsTask());
    }
}

/// <summary>A one-way method that groups call, with what each of its calls needs.</summary>
internal abstract class GroupMethod(MethodDescriptor descriptor)
{
    public CalledMethod Called { get; } = new(descriptor);

    /// <summary>Options in the head of every request.</summary>
    public RequestOptions Options { get; } = OutgoingOptions.OfMethod(descriptor);

    /// <summary>Time that members have, in microseconds: that of the contract, or <see cref="Clock.Never"/>.</summary>
    public long Deadline { get; } = descriptor.Choices.Timeout is { } timeout ? (long)timeout.TotalMicroseconds : Clock.Never;

    /// <summary>Calls the method on an implementation, for peers that a test made.</summary>
    /// <param name="service">The implementation.</param>
    /// <param name="body">The encoded request.</param>
    public abstract ValueTask InvokeAsync(object service, ReadOnlySpan<byte> body);
}

/// <summary>
/// Carries calls of groups to other servers. What is sent goes to all servers that subscribe to the group at that moment, also to the sender itself, at most
/// once, and what one server sends to one group comes in this order. Safe for concurrent use.
/// </summary>
internal abstract class GroupRelay
{
    /// <summary>Sends a message to the subscribers of a group. Waits for nothing.</summary>
    /// <param name="group">Name of the group.</param>
    /// <param name="message">The message, which must not change.</param>
    /// <returns>False if it is not sent.</returns>
    public abstract bool TrySend(string group, byte[] message);

    /// <summary>Subscribes to a group. Waits for nothing.</summary>
    /// <param name="group">Name of the group.</param>
    /// <param name="received">Gets the messages, one after the other, but none before this method returns on this thread.</param>
    /// <returns>Ends the subscription when it is disposed.</returns>
    public abstract IDisposable Subscribe(string group, Action<ReadOnlyMemory<byte>> received);

    /// <summary>A message has come that is not what a server of Mux writes: it is skipped.</summary>
    /// <param name="group">Name of the group.</param>
    /// <param name="reason">What is wrong with it.</param>
    public abstract void OnUnreadable(string group, string reason);
}
