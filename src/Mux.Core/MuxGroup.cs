using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Metrics;
using Mux.Backplanes;
using Mux.Contracts;
using Mux.Push;

namespace Mux;

/// <summary>
/// Peers that are called together: one call of <see cref="All"/> goes to each of them, such as <c>await room.All.Joined("ann")</c>. The members serve the
/// contract: clients by <c>AddService</c> of their options or of their builder.
/// </summary>
/// <remarks>
/// <para>Only methods with <c>[MuxMethod(OneWay = true)]</c> can be called. A call is encoded once, handed to the connections of all members, and complete
/// when this is done; threads of the library send. What becomes of it at a member, the caller does not learn. A request that cannot be encoded, or has more
/// metadata than any peer can accept (65,535 bytes, 64 entries), fails the call with a <see cref="MuxException"/>, and reaches no member.</para>
/// <para>A member takes as many calls at once as it allows (<c>MuxChannelOptions.MaxCallsPerConnection</c>, 64 by default), and as fast as it reads.
/// Others wait for it in a queue of <see cref="MuxGroupOptions.MaxQueuedBytes"/>. <see cref="MuxGroupOptions.WhenSlow"/> says what becomes of calls beyond it:
/// by default they complete when the member has room again, or after <see cref="MuxGroupOptions.WaitTimeout"/>. A caller that cancels its
/// call then waits no longer, and the member may still get it.</para>
/// <para>Delivery is at most once. A member misses a call if its queue stays full, if it drains, or if its connection ends before the call has reached it;
/// <see cref="MuxMissReason"/> has all reasons. <see cref="GetStatistics"/>, the metric <c>mux.group.missed</c> and the event <c>GroupCallsMissed</c> tell what
/// was missed. What one thread calls arrives at each member in this order, but a request of more than 16 KiB may be overtaken by smaller ones.</para>
/// <para>A peer leaves by itself when its connection ends. While it is in a group, this side does not end its connection for being idle. A peer may be in 1,024
/// groups. What has joined when a call is made gets it; a peer that joins or leaves at the same moment may get it or not.</para>
/// <para>Filters of a server do not run around such calls, filters of the members do. Deadlines of handlers are not inherited.</para>
/// <para>With <see cref="MuxGroupOptions.IsShared"/>, calls go to the members at all servers of a <see cref="MuxBackplane"/>; what one thread calls arrives in
/// this order there, too. While the backplane is interrupted, they go to the members of this process. Calls throw an
/// <see cref="ArgumentException"/> if the name of the group's key is null or longer than 1,024 characters.</para>
/// <para>Safe for concurrent use.</para>
/// </remarks>
/// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/> that has a one-way method.</typeparam>
[SuppressMessage("Naming", "CA1710", Justification = "A group of peers is what it is called everywhere.")]
public sealed class MuxGroup<TService> : IReadOnlyCollection<MuxPeer>
    where TService : class
{
    private readonly GroupPlace _place;
    private TService? _all;

    /// <summary>Creates a group without members.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="meters">Makes the meters, for example of a host; null for those of the process.</param>
    /// <exception cref="ArgumentException">An option is not valid; the message names it and the allowed values.</exception>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or none of its methods is one-way.</exception>
    public MuxGroup(MuxGroupOptions? options = null, IMeterFactory? meters = null)
        : this(MuxGroupOptions.Checked(options).KindOf<TService>(meters))
    {
    }

    internal MuxGroup(GroupKind kind)
        : this(new KeyedPlace<string>(new GroupShelf<string>(kind, _ => kind.Prefix), string.Empty))
    {
    }

    internal MuxGroup(GroupPlace place) => _place = place;

    /// <summary>Gets the number of members.</summary>
    public int Count => _place.Members?.Count ?? 0;

    /// <summary>Gets a proxy whose one-way calls go to all members. The same object each time. Other methods, and streams, throw a
    /// <see cref="NotSupportedException"/>.</summary>
    public TService All => Volatile.Read(ref _all) ?? MakeAll();

    /// <summary>Adds a peer.</summary>
    /// <param name="peer">The peer, such as the <see cref="MuxCallContext.Caller"/> of a handler.</param>
    /// <returns>False if it is a member already, or its connection has ended.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="peer"/> is null.</exception>
    /// <exception cref="ArgumentException">The group is shared, and the name of its key is null or longer than 1,024 characters.</exception>
    /// <exception cref="MuxException">The peer is in 1,024 groups: <see cref="MuxStatus.ResourceExhausted"/>.</exception>
    public bool Add(MuxPeer peer)
    {
        ArgumentNullException.ThrowIfNull(peer);
        if (_place.Add(peer) is not { } members) return false;
        members.Handle = this;
        return true;
    }

    /// <summary>Removes a peer. It gets no call that is made after this method has returned.</summary>
    /// <returns>False if it is not a member.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="peer"/> is null.</exception>
    public bool Remove(MuxPeer peer)
    {
        ArgumentNullException.ThrowIfNull(peer);
        return _place.Remove(peer);
    }

    /// <summary>Gets a value indicating whether a peer is a member.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="peer"/> is null.</exception>
    public bool Contains(MuxPeer peer)
    {
        ArgumentNullException.ThrowIfNull(peer);
        return _place.Contains(peer);
    }

    /// <summary>Gets a proxy like <see cref="All"/> whose calls go to all members but one: to all others, for a handler that passes its caller.</summary>
    /// <param name="peer">The peer that gets none of the calls. It need not be a member.</param>
    /// <returns>The same object each time, as long as the peer is a member.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="peer"/> is null.</exception>
    public TService Except(MuxPeer peer)
    {
        ArgumentNullException.ThrowIfNull(peer);
        return _place.Members is { } members && GroupMember.Find(peer) is { } member
            ? (TService)(members.ExceptOf(member) ?? members.KeepExcept(member, ProxyOf(peer)))
            : ProxyOf(peer);
    }

    /// <summary>Gets a proxy like <see cref="All"/> whose calls go to all members but some, which may be connected to any server.</summary>
    /// <param name="ids">The <see cref="MuxPeer.Id"/>s of the peers that get none of the calls: up to 1,024. They need not be members.</param>
    /// <returns>A new object, which may be kept.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="ids"/> is null.</exception>
    /// <exception cref="ArgumentException">There are more than 1,024 ids, or one has more than 255 bytes.</exception>
    public TService AllExcept(params IEnumerable<string> ids)
    {
        ArgumentNullException.ThrowIfNull(ids);
        return ProxyTo(_place, new GroupExcept(ids));
    }

    /// <summary>
    /// Makes a call and waits until all members of this process have it, or it is known why not: <c>await room.SendAsync(all => all.Joined("ann"))</c>.
    /// </summary>
    /// <param name="call">Makes the call, or several, with the proxy that it gets: to all members, or to all but <paramref name="except"/>. The proxy is of
    /// no use afterwards.</param>
    /// <param name="except">A peer that gets none of the calls; null if all members do.</param>
    /// <param name="cancellationToken">Ends the wait. Members may get the call all the same.</param>
    /// <returns>How many members have the call, and which missed it for which reason. In the queue of a member it may still be missed later: if
    /// <see cref="MuxSlowMember.DropOldest"/> drops it, it expires, or the connection ends. Members at other servers are not counted.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="call"/> is null.</exception>
    /// <exception cref="MuxException">The request cannot be encoded: see the remarks of the class. What <paramref name="call"/> throws, this method throws.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async ValueTask<MuxGroupDelivery> SendAsync(Func<TService, ValueTask> call, MuxPeer? except = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(call);
        var report = new GroupSend(reports: true);
        var spared = except is null ? null : new GroupExcept(except);
        await call(ServiceContract<TService>.Get().CreateProxy(new GroupInvoker(_place, spared, report))).ConfigureAwait(false);
        report.OnDecided();
        return await report.ReportAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Gets the statistics as of now. Groups of a <see cref="MuxGroups{TKey, TService}"/> have those of all groups together.</summary>
    public MuxGroupStatistics GetStatistics() => MuxGroupStatistics.Of(_place.Kind.Counters);

    /// <summary>Enumerates a copy of the members, made when the enumeration begins.</summary>
    public IEnumerator<MuxPeer> GetEnumerator() => (_place.Members?.All ?? []).Select(static member => member.Peer).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    internal static TService ProxyTo(GroupTarget target, GroupExcept? except) =>
        ServiceContract<TService>.Get().CreateProxy(new GroupInvoker(target, except));

    private TService MakeAll() => Interlocked.CompareExchange(ref _all, ProxyOf(except: null), null) ?? _all;

    private TService ProxyOf(MuxPeer? except) => ProxyTo(_place, except is null ? null : new GroupExcept(except));
}
