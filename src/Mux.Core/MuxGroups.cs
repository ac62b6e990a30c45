using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Metrics;
using Mux.Push;

namespace Mux;

/// <summary>
/// Groups of one kind, by key, such as the rooms of a chat: <c>rooms["lobby"].Add(caller)</c>, <c>await rooms["lobby"].All.Said("ann", "hello")</c>.
/// </summary>
/// <remarks>
/// <para>A group need not be created. It takes memory as long as it has members, and is forgotten with the last one. See <see cref="MuxGroup{TService}"/> for
/// what calls do.</para>
/// <para>Safe for concurrent use.</para>
/// </remarks>
/// <typeparam name="TKey">The key of a group.</typeparam>
/// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/> that has a one-way method.</typeparam>
[SuppressMessage("Naming", "CA1711", Justification = "No collection: a group exists for each key.")]
public sealed class MuxGroups<TKey, TService>
    where TKey : notnull
    where TService : class
{
    private readonly GroupShelf<TKey> _shelf;

    /// <summary>Creates groups, all without members.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="meters">Makes the meters, for example of a host; null for those of the process.</param>
    /// <exception cref="ArgumentException">An option is not valid; the message names it and the allowed values. Or the groups are shared, and their keys need
    /// <see cref="MuxGroupOptions.NameKeys{TKey}"/>.</exception>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or none of its methods is one-way.</exception>
    public MuxGroups(MuxGroupOptions? options = null, IMeterFactory? meters = null)
        : this(MuxGroupOptions.Checked(options).KindOf<TService>(meters), options?.KeyName)
    {
    }

    internal MuxGroups(GroupKind kind, Delegate? named) =>
        _shelf = new GroupShelf<TKey>(kind, kind.Relay is null ? null : ChannelNames.Of<TKey>(kind.Prefix, named, "Group"));

    /// <summary>Gets the group with a key. There is one for each key, though it may have no members.</summary>
    /// <param name="key">The key.</param>
    /// <returns>An object that may be kept. It is the same one as long as the group has members; others of the same key are the same group, too.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="key"/> is null.</exception>
    public MuxGroup<TService> this[TKey key]
    {
        get
        {
            ArgumentNullException.ThrowIfNull(key);
            return _shelf.Find(key)?.Handle as MuxGroup<TService> ?? new MuxGroup<TService>(new KeyedPlace<TKey>(_shelf, key));
        }
    }

    /// <summary>Gets a proxy like <see cref="MuxGroup{TService}.All"/> whose calls go to the members of several groups: <c>rooms.All("a", "b").Said(...)</c>.
    /// </summary>
    /// <param name="keys">The keys of the groups. What has joined when a call is made gets it.</param>
    /// <returns>A new object, which may be kept. A member of several of the groups gets a call once; at other servers, if groups are shared, once for each
    /// group that it is in.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="keys"/> is null.</exception>
    public TService All(params IEnumerable<TKey> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        return MuxGroup<TService>.ProxyTo(new GroupUnion<TKey>(_shelf, [.. keys.Distinct()]), except: null);
    }

    /// <summary>Removes a peer from all groups of this object.</summary>
    /// <param name="peer">The peer.</param>
    /// <returns>Number of groups that it was in.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="peer"/> is null.</exception>
    /// <remarks>A peer whose connection ends leaves them by itself.</remarks>
    public int RemoveFromAll(MuxPeer peer)
    {
        ArgumentNullException.ThrowIfNull(peer);
        return GroupMember.Find(peer)?.LeaveAll(_shelf) ?? 0;
    }

    /// <summary>Gets the statistics of all groups as of now.</summary>
    public MuxGroupStatistics GetStatistics() => MuxGroupStatistics.Of(_shelf.Kind.Counters);
}
