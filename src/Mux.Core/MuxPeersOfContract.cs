using System.Diagnostics.Metrics;
using Mux.Backplanes;
using Mux.Contracts;
using Mux.Push;

namespace Mux;

/// <summary>
/// Calls clients by the name of their user or by their id, at whichever server they are connected: <c>await peers.OfUser("ann").Said("hello")</c>. The clients
/// serve the contract, by <c>AddService</c> of their options or of their builder.
/// </summary>
/// <remarks>
/// <para>Calls are those of a <see cref="MuxGroup{TService}"/>: one-way, encoded once, at most once, with a queue for each peer, and the same options, metrics
/// and events. Peers need not be added: a peer can be called from the end of its handshake to the end of its connection. A connection is not kept open for
/// it.</para>
/// <para>With <see cref="MuxGroupOptions.IsShared"/>, calls go to the peers at all servers of a <see cref="MuxBackplane"/> that have such an object with the
/// same <see cref="MuxGroupOptions.Name"/>. A server has one subscription at the backplane for each user that is connected to it, and one for all ids. While
/// the backplane is interrupted, calls reach the peers of this server alone.</para>
/// <para>Safe for concurrent use.</para>
/// </remarks>
/// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/> that has a one-way method.</typeparam>
public sealed class MuxPeers<TService>
    where TService : class
{
    private readonly ListedPeers _peers;
    private readonly GroupSend? _report;

    /// <summary>Creates an object that calls the clients of a server, and those of others.</summary>
    /// <param name="peers">The clients of the server: <see cref="MuxServer.Peers"/>.</param>
    /// <param name="options">The options; null for the defaults. <see cref="MuxGroupOptions.NameKeys{TKey}"/> is of no use here.</param>
    /// <param name="meters">Makes the meters, for example of a host; null for those of the process.</param>
    /// <exception cref="ArgumentNullException"><paramref name="peers"/> is null.</exception>
    /// <exception cref="ArgumentException">An option is not valid; the message names it and the allowed values.</exception>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or none of its methods is one-way.</exception>
    public MuxPeers(MuxPeers peers, MuxGroupOptions? options = null, IMeterFactory? meters = null)
    {
        ArgumentNullException.ThrowIfNull(peers);
        _peers = new ListedPeers(MuxGroupOptions.Checked(options).KindOf<TService>(meters), peers.Set);
    }

    private MuxPeers(ListedPeers peers, GroupSend report) => (_peers, _report) = (peers, report);

    /// <summary>Gets a proxy whose one-way calls go to all connections of some users. Other methods, and streams, throw a
    /// <see cref="NotSupportedException"/>.</summary>
    /// <param name="names">The names, as <see cref="MuxPeers.OfUser"/> takes them.</param>
    /// <returns>A new object, which may be kept. What is connected when a call is made gets it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="names"/> is null, or a name is.</exception>
    /// <exception cref="ArgumentException">A name is empty or longer than 1,024 characters.</exception>
    public TService OfUser(params IEnumerable<string> names)
    {
        ArgumentNullException.ThrowIfNull(names);
        string[] users = [.. names.Distinct(StringComparer.Ordinal)];
        foreach (var user in users)
        {
            ArgumentNullException.ThrowIfNull(user, nameof(names));
            if (!ListedPeers.IsUsable(user)) throw new ArgumentException($"A name has {user.Length} characters: expected 1 to 1024.", nameof(names));
        }

        return ProxyTo(new UserTarget(_peers, users));
    }

    /// <summary>Gets a proxy whose one-way calls go to the peers with some ids. Other methods, and streams, throw a <see cref="NotSupportedException"/>.
    /// </summary>
    /// <param name="ids">The <see cref="MuxPeer.Id"/>s: up to 1,024.</param>
    /// <returns>A new object, which may be kept. A call to a peer whose connection has ended reaches nothing.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="ids"/> is null.</exception>
    /// <exception cref="ArgumentException">There are more than 1,024 ids, or one has more than 255 bytes.</exception>
    public TService WithId(params IEnumerable<string> ids)
    {
        ArgumentNullException.ThrowIfNull(ids);
        return ProxyTo(new IdTarget(_peers, new GroupExcept(ids)));
    }

    /// <summary>Makes a call and waits until all of its peers at this server have it, or it is known why not:
    /// <c>await peers.SendAsync(to => to.OfUser("ann").Said("hello"))</c>.</summary>
    /// <param name="call">Makes the call, or several, with the object that it gets, which is of no use afterwards.</param>
    /// <param name="cancellationToken">Ends the wait. Peers may get the call all the same.</param>
    /// <returns>How many peers of this server have the call, which missed it for which reason, and whether other servers miss it. Peers at other servers are
    /// not counted.</returns>
    /// <inheritdoc cref="MuxGroup{TService}.SendAsync" path="/exception"/>
    public async ValueTask<MuxGroupDelivery> SendAsync(Func<MuxPeers<TService>, ValueTask> call, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(call);
        var report = new GroupSend(reports: true);
        await call(new MuxPeers<TService>(_peers, report)).ConfigureAwait(false);
        report.OnDecided();
        return await report.ReportAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Gets the statistics as of now. There are no members and groups.</summary>
    public MuxGroupStatistics GetStatistics() => MuxGroupStatistics.Of(_peers.Kind.Counters);

    private TService ProxyTo(GroupTarget target) => ServiceContract<TService>.Get().CreateProxy(new GroupInvoker(target, except: null, _report));
}
