using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Push;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Backplanes;

/// <summary>
/// Carries messages between servers, so that topics and groups reach the clients of all of them. Derive from it to use another system than those that come
/// with Mux; a derived class knows nothing of topics and groups.
/// </summary>
/// <remarks>
/// <para><b>What it promises.</b> A channel has a name. A message goes to all subscribers of its channel at all servers, at most once. Messages that one
/// server publishes in a channel one after the other come in this order. While the state is <see cref="BackplaneState.Interrupted"/> it takes no message, and
/// its subscribers have been told; it connects again by itself, and subscribes again to everything.</para>
/// <para><b>What it never does.</b> It does not wait in <see cref="TrySend"/>, <c>TryPublish</c> and <see cref="Subscribe"/>, nor throw there for a
/// message that it does not take, nor call a subscriber there: while it is inside, further items of the same topic wait, up to 8,192, and then reach the
/// subscribers of this server alone. What waits to be sent is bounded. When a server vanishes, nothing of it is left behind.</para>
/// <para>Safe for concurrent use.</para>
/// </remarks>
public abstract class MuxBackplane
{
    private const long Quiet = 10_000; // ms between two logs of what may happen for every message

    private readonly ILogger _logger;
    private readonly Readings _readings; // which lives as long as this: meters hold it weakly
    private long _published;
    private long _received;
    private long _refused;
    private long _skipped;
    private long _nextRefusedLog;
    private long _nextSkippedLog;
    private long _nextRejectedLog;
    private volatile BackplaneState _state;

    /// <summary>Initializes the backplane, in the state <see cref="BackplaneState.Connecting"/>.</summary>
    /// <param name="name">Its name in logs and metrics, such as <c>redis://cache:6379</c>. It must hold no secret.</param>
    /// <param name="loggers">Where it logs, in the category <c>Mux.Backplane</c>; null to log nothing.</param>
    /// <param name="meters">Makes the meters, for example of a host; null for those of the process.</param>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty.</exception>
    protected MuxBackplane(string name, ILoggerFactory? loggers = null, IMeterFactory? meters = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        Name = name;
        _logger = new NonThrowingLogger((loggers ?? NullLoggerFactory.Instance).CreateLogger("Mux.Backplane"));
        _readings = new Readings(this);
        MuxMetrics.For(meters).Backplanes.Add(_readings);
    }

    /// <summary>Gets the name in logs and metrics.</summary>
    public string Name { get; }

    /// <summary>Gets the state as of now.</summary>
    public BackplaneState State => _state;

    /// <summary>
    /// Gets a value indicating whether no number of a channel comes again, even if the system behind it has lost it: see <c>MuxTopics.Subscribe</c>.
    /// </summary>
    public virtual bool HasUniqueNumbers => false;

    /// <summary>Gets the number of messages that wait to be sent, or for the answer that they were.</summary>
    public abstract int Queued { get; }

    /// <summary>Gets the number of messages that were taken since the backplane was created.</summary>
    public long Published => Volatile.Read(ref _published);

    /// <summary>Gets the number of messages that came for subscribers since the backplane was created.</summary>
    public long Received => Volatile.Read(ref _received);

    /// <summary>Gets the number of messages that were not taken: too many waited, or because of an interruption, or the system did not take them.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Gets the number of messages that came and were skipped, because they are not what a server of Mux writes.</summary>
    public long Skipped => Volatile.Read(ref _skipped);

    /// <summary>Sends a message to the subscribers of a channel as they are now. It has no number and is not retained.</summary>
    /// <param name="channel">Name of the channel, 1 to 2,048 characters.</param>
    /// <param name="message">The message. The backplane keeps it; it must not change.</param>
    /// <returns>False if it was not taken: too much waits, or the backplane is interrupted. It is counted in <see cref="Refused"/>.</returns>
    /// <exception cref="ArgumentException">The name of the channel is null, empty or longer than 2,048 characters.</exception>
    public abstract bool TrySend(string channel, ReadOnlyMemory<byte> message);

    /// <summary>Publishes a message in a channel: it gets the next number, and the last messages are retained.</summary>
    /// <param name="channel">Name of the channel, 1 to 2,048 characters.</param>
    /// <param name="message">The message. The backplane keeps it; it must not change.</param>
    /// <param name="retain">Number of last messages that the channel retains, 0 to 1,024. All publishers of a channel pass the same.</param>
    /// <param name="tag">
    /// Comes back with <see cref="BackplaneSubscriber.OnPublished"/> for each message that was taken, if this server subscribes to the channel. Without it,
    /// items that are published before a subscription is in force reach the subscribers of this server late.
    /// </param>
    /// <inheritdoc cref="TrySend" path="/returns"/>
    /// <exception cref="ArgumentException">The name of the channel is null, empty or longer than 2,048 characters.</exception>
    public abstract bool TryPublish(string channel, ReadOnlyMemory<byte> message, int retain, long tag);

    /// <summary>
    /// Publishes a message in a channel, and tells what became of it. As <see cref="TryPublish(string, ReadOnlyMemory{byte}, int, long)"/>.
    /// </summary>
    /// <param name="channel">Name of the channel, 1 to 2,048 characters.</param>
    /// <param name="message">The message. The backplane keeps it; it must not change.</param>
    /// <param name="retain">Number of last messages that the channel retains, 0 to 1,024. All publishers of a channel pass the same.</param>
    /// <param name="tag">A number that the publisher's subscription to the channel gets with the number of the message.</param>
    /// <param name="onSettled">
    /// Called once, on any thread, if the message was taken: when the system behind the backplane has it, has refused it, or is interrupted before it has
    /// said so.
    /// It returns soon and throws nothing. A backplane that does not override this method calls it at once.
    /// </param>
    /// <inheritdoc cref="TrySend" path="/returns"/>
    /// <exception cref="ArgumentException">The name of the channel is null, empty or longer than 2,048 characters.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="onSettled"/> is null.</exception>
    public virtual bool TryPublish(string channel, ReadOnlyMemory<byte> message, int retain, long tag, Action<MuxPublishResult> onSettled)
    {
        ArgumentNullException.ThrowIfNull(onSettled);
        if (!TryPublish(channel, message, retain, tag)) return false;
        onSettled(new MuxPublishResult(IsTaken: true, string.Empty));
        return true;
    }

    /// <summary>Subscribes to a channel. Returns before the subscription is in force, which <see cref="BackplaneSubscriber.OnSynced"/> says.</summary>
    /// <param name="channel">Name of the channel, 1 to 2,048 characters. It may have several subscriptions, each independent of the others.</param>
    /// <param name="subscriber">Gets the messages.</param>
    /// <param name="retained">Most retained messages that it gets, 0 to 1,024.</param>
    /// <returns>Ends the subscription when it is disposed. A call of the subscriber that runs then may continue.</returns>
    /// <exception cref="ArgumentException">The name of the channel is null, empty or longer than 2,048 characters.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="subscriber"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The backplane was disposed.</exception>
    public abstract IDisposable Subscribe(string channel, BackplaneSubscriber subscriber, int retained);

    /// <summary>Counts and logs a message that is not what a server of Mux writes: its reader skips it. Logged at most every 10 s.</summary>
    /// <param name="channel">Its channel.</param>
    /// <param name="reason">What is wrong with it.</param>
    public void OnUnreadable(string channel, string reason)
    {
        Interlocked.Increment(ref _skipped);
        if (MayLog(ref _nextSkippedLog)) BackplaneLog.Skipped(_logger, Name, channel, reason, Skipped);
    }

    /// <summary>Counts an item of a topic that was not even offered, because earlier ones wait too long for <c>TryPublish</c> to return.</summary>
    internal void OnNotOffered() => OnRefused(queueIsFull: true);

    /// <summary>Counts a message that was taken.</summary>
    protected void OnTaken() => Interlocked.Increment(ref _published);

    /// <summary>Counts a message that came for a subscriber.</summary>
    protected void OnReceived() => Interlocked.Increment(ref _received);

    /// <summary>
    /// Counts a message that was not taken. If too much waits, it is logged, at most every 10 s, on another thread: callers may hold locks.
    /// </summary>
    /// <param name="queueIsFull">False if the reason is an interruption, which was logged when it began.</param>
    protected void OnRefused(bool queueIsFull)
    {
        Interlocked.Increment(ref _refused);
        if (!queueIsFull || !MayLog(ref _nextRefusedLog)) return;
        EnginePool.Queue(static self => BackplaneLog.QueueFull(self._logger, self.Name, self.Queued, self.Refused), this);
    }

    /// <summary>
    /// Counts and logs a message that this side has taken and the system behind it has not, while it serves others: it is full, or has a rule against it. The
    /// state stays. Logged at most every 10 s.
    /// </summary>
    /// <param name="channel">Its channel.</param>
    /// <param name="reason">What the system says.</param>
    protected void OnRejected(string channel, string reason)
    {
        Interlocked.Increment(ref _refused);
        if (MayLog(ref _nextRejectedLog)) BackplaneLog.Rejected(_logger, Name, channel, reason, Refused);
    }

    /// <summary>Changes the state, without a log: callers may hold locks.</summary>
    /// <returns>False if it was this before.</returns>
    protected bool TryEnter(BackplaneState state)
    {
        if (_state == state) return false;
        _state = state;
        return true;
    }

    /// <summary>Logs that the state has changed. Must not be called under a lock.</summary>
    /// <param name="reason">Why it is interrupted, in one sentence; not used if it is connected.</param>
    /// <param name="error">The error, or null.</param>
    protected void LogState(string reason, Exception? error = null)
    {
        if (_state == BackplaneState.Interrupted) BackplaneLog.Interrupted(_logger, Name, reason.TrimEnd('.'), error);
        else BackplaneLog.Connected(_logger, Name);
    }

    private static bool MayLog(ref long next)
    {
        long now = Environment.TickCount64, due = Volatile.Read(ref next);
        return now >= due && Interlocked.CompareExchange(ref next, now + Quiet, due) == due;
    }

    private sealed class Readings(MuxBackplane backplane) : IBackplaneReadings
    {
        public string Name => backplane.Name;

        public long Published => backplane.Published;

        public long Received => backplane.Received;

        public long Refused => backplane.Refused;

        public long Skipped => backplane.Skipped;

        public int Queued => backplane.Queued;

        public bool IsInterrupted => backplane.State == BackplaneState.Interrupted;
    }
}
