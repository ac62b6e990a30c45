using System.Diagnostics.Metrics;
using Mux.Backplanes;
using Mux.Push;
using Mux.Runtime;

namespace Mux;

/// <summary>Options of a <see cref="MuxGroup{TService}"/> or <see cref="MuxGroups{TKey, TService}"/>. They are read when it is created.</summary>
public sealed class MuxGroupOptions
{
    /// <summary>
    /// Gets or sets the name of the groups in metrics. It also tells groups of several servers apart: those share their calls that have the same name.
    /// </summary>
    /// <value>Up to 256 characters. Empty by default: the name of the contract, as <see cref="MuxServiceAttribute"/> gives it.</value>
    public string Name { get; set; } = string.Empty;

    /// <summary>
    /// Gets or sets a value indicating whether the groups have members at several servers: calls go to the members of all servers, and <c>Count</c>,
    /// enumeration and statistics show those of this process.
    /// </summary>
    /// <value>False by default. In a host, shared groups take the <see cref="MuxBackplane"/> of its services.</value>
    public bool IsShared { get; set; }

    /// <summary>Gets or sets what carries calls between servers, if <see cref="IsShared"/>. Its owner disposes it.</summary>
    /// <value>Null by default: all members are in this process.</value>
    public MuxBackplane? Backplane { get; set; }

    /// <summary>
    /// Gets or sets the largest number of bytes of calls that wait for one member: its connection takes as many calls at once as the peer allows
    /// (<c>MaxCallsPerConnection</c>), and the others wait here. <see cref="WhenSlow"/> says what becomes of calls beyond it. The queues of all members are
    /// part of what the server holds for its peers: <c>Limits.MaxHeldBytes</c>.
    /// </summary>
    /// <value>0 to 1 GiB; 1 MiB by default. A call counts its request and 128 bytes, so the default is some 5,000 small calls. A larger call is taken if no
    /// other waits. With 0 none waits: a member without room at this moment misses the call.</value>
    public long MaxQueuedBytes { get; set; } = GroupKind.DefaultQueuedBytes;

    /// <summary>Gets or sets a value that says what becomes of a call when the queue of a member is full.</summary>
    /// <value><see cref="MuxSlowMember.Wait"/> by default.</value>
    public MuxSlowMember WhenSlow { get; set; }

    /// <summary>
    /// Gets or sets the time that callers wait for a member whose queue is full, if <see cref="WhenSlow"/> is <see cref="MuxSlowMember.Wait"/>. No call waits
    /// longer. All time in which calls wait is taken from it, and when it is used up the member misses calls, and no caller waits for it. Each time that the
    /// queue has fallen to its half, half of the time comes back. So a member that takes half of its queue in half of this time sets the pace of its callers
    /// for as long as they call, and a slower one does so for a while.
    /// </summary>
    /// <value>Zero to an hour; 5 s by default. With zero, no caller ever waits.</value>
    public TimeSpan WaitTimeout { get; set; } = GroupKind.DefaultWaitTimeout;

    internal Delegate? KeyName { get; private set; }

    /// <summary>Names keys between servers. Needed for shared groups whose keys are neither strings nor integers, <see cref="Guid"/>s or enums.</summary>
    /// <typeparam name="TKey">The key of the groups.</typeparam>
    /// <param name="name">Gets the name of a key: up to 1,024 characters, different for different keys and the same at all servers. Runs at the first call and
    /// the first join of a group.</param>
    /// <returns>These options.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    public MuxGroupOptions NameKeys<TKey>(Func<TKey, string> name)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(name);
        KeyName = name;
        return this;
    }

    /// <summary>Checks the options.</summary>
    /// <returns>Every invalid option; empty if all are valid.</returns>
    public IEnumerable<OptionFailure> Validate()
    {
        if (Name is null or { Length: > 256 }) yield return new OptionFailure(nameof(Name), "Expected a text of up to 256 characters, which may be empty.");
        if (MaxQueuedBytes is < 0 or > 1 << 30) yield return OptionFailure.OutOfRange(nameof(MaxQueuedBytes), MaxQueuedBytes, "0 to 1073741824 bytes");
        if (!Enum.IsDefined(WhenSlow)) yield return OptionFailure.OutOfRange(nameof(WhenSlow), WhenSlow, "Wait, DropOldest or End");
        if (WaitTimeout < TimeSpan.Zero || WaitTimeout > TimeSpan.FromHours(1))
        {
            yield return OptionFailure.OutOfRange(nameof(WaitTimeout), WaitTimeout, "0 to 1 hour");
        }

        if (IsShared && Backplane is null)
        {
            yield return new OptionFailure(nameof(Backplane), "missing, although IsShared says that the groups have members at other servers. In a host, " +
                "AddMuxRedis of the package Mux.Redis adds one.");
        }

        if (!IsShared && Backplane is not null) yield return new OptionFailure(nameof(Backplane), "it is set, but IsShared is false: set both, or none.");
    }

    /// <summary>Gets valid options, or throws.</summary>
    /// <param name="options">The options; null for the defaults.</param>
    internal static MuxGroupOptions Checked(MuxGroupOptions? options)
    {
        options ??= new MuxGroupOptions();
        var failures = options.Validate().ToList();
        if (failures.Count > 0) throw new ArgumentException($"The options of the groups are not valid: {string.Join(' ', failures)}", nameof(options));
        return options;
    }

    internal GroupKind KindOf<TService>(IMeterFactory? meters)
        where TService : class => GroupKind.Of<TService>(Name, meters, Backplane) with
        {
            QueuedBytes = MaxQueuedBytes,
            WhenSlow = WhenSlow,
            WaitTimeout = Clock.Microseconds(WaitTimeout),
        };
}
