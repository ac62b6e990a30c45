using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>
/// Items of one topic on their way to the backplane, in the order of their numbers. One thread at a time offers them, outside of locks, because a
/// backplane is code of others. What is published meanwhile waits here, and its publisher does not.
/// </summary>
/// <param name="owner">Offers an item.</param>
/// <param name="stripe">Has the line, as long as there is something in it.</param>
internal sealed class PublishLine<TKey, T>(SharedTopics<TKey, T> owner, TopicStripe<TKey, T> stripe) : IThreadPoolWorkItem
    where TKey : notnull
{
    /// <summary>Items that wait. Beyond it they are refused: the backplane takes longer for an item than it may.</summary>
    public const int MostWaiting = 8_192;

    /// <summary>Items that a publisher offers for others. Then another thread continues, so that nobody does it forever.</summary>
    private const int MostForOthers = 32;

    private const int MostPlacesKept = 16;

    private readonly Queue<PublishOffer<T>> _waiting = new(); // guarded by the lock of the stripe

    /// <summary>The topic. Set by the publisher that begins the line.</summary>
    public required TKey Key { get; set; }

    /// <summary>The backplane's name of the topic. Set like the key.</summary>
    public required string Channel { get; set; }

    /// <summary>True if it holds little memory, and may be used again.</summary>
    public bool IsSmallLocked
    {
        get
        {
            Debug.Assert(stripe.Gate.IsHeldByCurrentThread);
            return _waiting.Capacity <= MostPlacesKept;
        }
    }

    /// <summary>Adds an item.</summary>
    /// <returns>False if too many wait.</returns>
    public bool TryAddLocked(in PublishOffer<T> offer)
    {
        Debug.Assert(stripe.Gate.IsHeldByCurrentThread);
        if (_waiting.Count == MostWaiting) return false;
        _waiting.Enqueue(offer);
        return true;
    }

    /// <summary>Offers what is in the line. Called without the lock by the publisher that has begun it, whose item is the first one.</summary>
    /// <exception cref="Exception">What the backplane has thrown for this item.</exception>
    public void Run()
    {
        var thrown = OfferNext();
        RunOthers();
        if (thrown is not null) ExceptionDispatchInfo.Throw(thrown);
    }

    void IThreadPoolWorkItem.Execute() => RunOthers();

    private void RunOthers()
    {
        for (int offered = 0; offered < MostForOthers; offered++)
        {
            lock (stripe.Gate)
            {
                if (_waiting.Count == 0)
                {
                    stripe.EndLocked(this); // after all that was done for the last item: the next line begins behind it
                    return;
                }
            }

            if (OfferNext() is not null) owner.Backplane.OnNotOffered(); // its publisher has gone on
        }

        WorkQueue.OfProcess.AddUserCode(this);
    }

    private Exception? OfferNext()
    {
        PublishOffer<T> next;
        lock (stripe.Gate) next = _waiting.Dequeue();
        return owner.Offer(this, stripe, next);
    }
}

/// <summary>An item that was published here, as the backplane gets it.</summary>
/// <param name="Item">The item.</param>
/// <param name="Message">The message for other servers.</param>
/// <param name="Count">Its number at this server.</param>
/// <param name="OnSettled">Told what becomes of it at the backplane; null if its publisher does not wait.</param>
internal readonly record struct PublishOffer<T>(TopicItem<T> Item, byte[] Message, long Count, Action<MuxPublishResult>? OnSettled);

/// <summary>Finds the codec of the first response stream of a contract that has such items.</summary>
internal sealed class ResponseCodec<T> : IMethodVisitor
{
    public MessageCodec<T>? Found { get; private set; }

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        // It sends no items.
    }

    public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
        if (Found is null && method.Descriptor.Shape.HasFlag(MethodShape.ResponseStream)) Found = method.Responses as MessageCodec<T>;
    }
}
