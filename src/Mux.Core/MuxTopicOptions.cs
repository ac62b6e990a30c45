using Mux.Backplanes;
using Mux.Contracts;

namespace Mux;

/// <summary>Options of a <see cref="MuxTopics{TKey, TItem}"/>. They are read when it is created.</summary>
public sealed class MuxTopicOptions
{
    /// <summary>
    /// Gets or sets the largest number of items that wait for a subscriber. All subscribers of a topic share the memory of these items. As many are under way
    /// to it without being taken; two with <see cref="MuxSlowSubscriber.KeepLatest"/>. More only while the round trip would limit a subscriber that keeps up.
    /// </summary>
    /// <value>1 to 1,024; 512 by default.</value>
    public int Queue { get; set; } = 512;

    /// <summary>Gets or sets the number of last items that a topic keeps for new subscribers, which get them first.</summary>
    /// <value>0 to 1,024; 0 by default, so that a subscriber gets what is published from then on.</value>
    public int Retain { get; set; }

    /// <summary>
    /// Gets or sets a value indicating whether the first item of a topic has the microseconds since 1970 as its number, instead of 1. Each further one is
    /// greater by 1, as always. So no number comes again when the server starts, and subscribers can come back: <c>Subscribe(key, after)</c>.
    /// </summary>
    /// <value>False by default. Needs items that implement <see cref="IMuxTopicItem"/>. Of no effect if topics are shared: their backplane numbers the
    /// items.</value>
    public bool UniqueNumbers { get; set; }

    /// <summary>Gets or sets a value that says what becomes of a subscriber that is too slow.</summary>
    /// <value><see cref="MuxSlowSubscriber.DropOldest"/> by default.</value>
    public MuxSlowSubscriber WhenSlow { get; set; }

    /// <summary>
    /// Gets or sets the largest number of bytes that all topics keep, for slow and for new subscribers. Beyond it, topics without subscribers are forgotten,
    /// that one first that has had no item for longest; then a topic that gets an item drops its oldest ones, down to one.
    /// </summary>
    /// <value>65,536 to 4 GiB; 16 MiB by default. An item counts its encoded form and 64 bytes, or 256 bytes if no method has sent any
    /// item yet: nothing is encoded then.</value>
    public long MaxBytes { get; set; } = 16 << 20;

    /// <summary>
    /// Gets or sets the largest number of topics without subscribers that are kept. Beyond it, the one is forgotten that has had no item for longest.
    /// </summary>
    /// <value>1 to 10,000,000; 100,000 by default.</value>
    public int MaxIdleTopics { get; set; } = 100_000;

    /// <summary>
    /// Gets or sets the name of the topics in metrics. It also tells topics of several servers apart: those share their items that have the same name and the
    /// same type of items.
    /// </summary>
    /// <value>Up to 256 characters. Empty by default: the name of the type of the items.</value>
    public string Name { get; set; } = string.Empty;

    /// <summary>Gets or sets what carries the items between servers; needs <see cref="ShareAs{TContract}"/>. Its owner disposes it.</summary>
    /// <value>Null by default: items stay in this process. In a host, topics with <see cref="ShareAs{TContract}"/> take the <see cref="MuxBackplane"/> of its
    /// services.</value>
    public MuxBackplane? Backplane { get; set; }

    /// <summary>Gets a value indicating whether <see cref="ShareAs{TContract}"/> was called.</summary>
    public bool IsShared => Contract is not null;

    internal Type? Contract { get; private set; }

    internal Action<IMethodVisitor>? Describe { get; private set; }

    internal Delegate? KeyName { get; private set; }

    /// <summary>
    /// Shares the topics with other servers: subscribers of all of them get what any of them publishes. Items travel in the form in which a contract sends
    /// them; a server that only passes an item on to subscribers of this contract does not decode it.
    /// </summary>
    /// <typeparam name="TContract">A contract with a method that returns a stream of the items.</typeparam>
    /// <returns>These options.</returns>
    /// <exception cref="InvalidOperationException">The type is not a contract.</exception>
    public MuxTopicOptions ShareAs<TContract>()
        where TContract : class
    {
        var contract = ServiceContract<TContract>.Get();
        (Contract, Describe) = (typeof(TContract), contract.Describe);
        return this;
    }

    /// <summary>
    /// Names keys between servers. Needed for shared topics whose keys are neither strings nor integers, <see cref="Guid"/>s or enums.
    /// </summary>
    /// <typeparam name="TKey">The key of the topics.</typeparam>
    /// <param name="name">Gets the name of a key: up to 1,024 characters, different for different keys and the same at all servers. Runs at each
    /// <c>Publish</c> and subscription.</param>
    /// <returns>These options.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    public MuxTopicOptions NameKeys<TKey>(Func<TKey, string> name)
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
        if (Queue is < 1 or > 1024) yield return OptionFailure.OutOfRange(nameof(Queue), Queue, "1 to 1024 items");
        if (Retain is < 0 or > 1024) yield return OptionFailure.OutOfRange(nameof(Retain), Retain, "0 to 1024 items");
        if (!Enum.IsDefined(WhenSlow)) yield return OptionFailure.OutOfRange(nameof(WhenSlow), WhenSlow, "DropOldest, KeepLatest or End");
        if (MaxBytes is < 65_536 or > 4L << 30) yield return OptionFailure.OutOfRange(nameof(MaxBytes), MaxBytes, "65536 to 4294967296 bytes");
        if (MaxIdleTopics is < 1 or > 10_000_000) yield return OptionFailure.OutOfRange(nameof(MaxIdleTopics), MaxIdleTopics, "1 to 10000000 topics");
        if (Name is null or { Length: > 256 }) yield return new OptionFailure(nameof(Name), "Expected a text of up to 256 characters, which may be empty.");
        if (Backplane is not null && Contract is null)
            yield return new OptionFailure(nameof(Backplane), "it is set, but nothing says how items travel: call ShareAs<TContract>(), too.");
        if (Backplane is null && Contract is not null)
            yield return new OptionFailure(nameof(Backplane), $"missing, although ShareAs<{Contract.Name}>() shares the topics with other servers. In a " +
                "host, AddMuxRedis of the package Mux.Redis adds one.");
    }
}
