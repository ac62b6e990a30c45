using System.Globalization;
using Mux.Backplanes;
using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>A subscription to a channel, which is made again after each interruption.</summary>
/// <param name="names">The channel.</param>
/// <param name="subscriber">Gets the messages.</param>
/// <param name="retained">Most retained messages that it gets.</param>
/// <param name="watch">Tells of messages.</param>
internal sealed class RedisSubscription(RedisNames names, BackplaneSubscriber subscriber, int retained, IMessageWatch watch)
{
    private ChannelMessageQueue? _queue; // guarded by the lock that Redis' subscriptions share
    private LookRequest? _look;
    private Guid _mark;
    private int _begunLife = -1; // guarded like the queue
    private int _beginnings; // of which the last one counts; guarded like the queue
    private bool _hasEnded;

    public RedisNames Names => names;

    public BackplaneSubscriber Subscriber => subscriber;

    /// <summary>The life of the connection in which it is in force. Guarded by the lock of the backplane.</summary>
    public int Life { get; set; } = -1;

    /// <summary>Subscribes, and forgets the subscription of an earlier life.</summary>
    /// <param name="redis">The subscriptions of the connection.</param>
    /// <param name="gate">Held while subscriptions begin and end: the library may mix up both for one channel.</param>
    /// <param name="timeout">Most time that it takes.</param>
    /// <param name="life">The life of the connection. One that comes late does nothing: it would undo the subscription of a newer one.</param>
    /// <exception cref="Exception">Redis does not answer.</exception>
    public async Task BeginAsync(ISubscriber redis, Lock gate, TimeSpan timeout, int life)
    {
        Task<ChannelMessageQueue> subscribing;
        int beginning;
        lock (gate)
        {
            if (_hasEnded || life < _begunLife) return;
            _begunLife = life;
            _queue?.Unsubscribe(CommandFlags.FireAndForget);
            _queue = null;
            beginning = ++_beginnings;
            subscribing = redis.SubscribeAsync(names.Channel);
        }

        ChannelMessageQueue queue;
        try
        {
            queue = await subscribing.WaitAsync(timeout).ConfigureAwait(false);
        }
        catch
        {
            Abandoned.Observe(subscribing);
            lock (gate)
            {
                // The library keeps the queue of a subscription that has failed: it would collect messages without a reader.
                if (beginning == _beginnings) redis.Unsubscribe(names.Channel, flags: CommandFlags.FireAndForget);
            }

            throw;
        }

        lock (gate)
        {
            if (_hasEnded || beginning != _beginnings)
            {
                queue.Unsubscribe(CommandFlags.FireAndForget); // a later one has begun meanwhile: messages would come twice
            }
            else
            {
                _queue = queue;
                queue.OnMessage(OnMessageAsync);
            }
        }
    }

    /// <summary>Asks what the channel has, once the subscription is in force.</summary>
    public LookRequest Look(int life)
    {
        var mark = Guid.NewGuid();
        var look = new LookRequest(life, names, retained, mark);
        (_mark, _look) = (mark, look); // before the mark comes
        return look;
    }

    public void End(Lock gate)
    {
        lock (gate)
        {
            if (_hasEnded) return;
            _hasEnded = true;
            _queue?.Unsubscribe(CommandFlags.FireAndForget);
        }
    }

    private async Task OnMessageAsync(ChannelMessage message)
    {
        if (RedisMessage.TryReadMark(message.Message, out var asked))
        {
            if (_look is not { } look || asked != _mark) return; // of another server, or an earlier life
            try
            {
                var snapshot = Read(await look.Answer.ConfigureAwait(false));
                subscriber.OnSynced(snapshot);
            }
            catch (OperationCanceledException)
            {
                // An interruption, after which the channel is asked again.
            }
        }
        else if (RedisMessage.TryRead(message.Message, out var read))
        {
            watch.OnMessage();
            subscriber.OnMessage(read);
        }
        else
        {
            watch.OnForeign(names.Name);
        }
    }

    private BackplaneSnapshot Read(RedisResult result)
    {
        long last = 0;
        var messages = new List<BackplaneMessage>();
        if (result.Length == 2)
        {
            _ = long.TryParse((string?)result[0], NumberStyles.None, CultureInfo.InvariantCulture, out last); // foreign: as if there was none
            foreach (var value in (RedisValue[]?)result[1] ?? [])
            {
                if (RedisMessage.TryRead(value, out var message)) messages.Add(message);
                else watch.OnForeign(names.Name);
            }
        }

        return new BackplaneSnapshot(last, messages);
    }
}
