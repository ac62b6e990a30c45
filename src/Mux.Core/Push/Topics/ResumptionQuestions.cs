using System.Buffers.Binary;
using System.Diagnostics;
using System.Security.Cryptography;
using Mux.Backplanes;

namespace Mux.Push;

/// <summary>
/// Asks the backplane whether the subscribers of one topic that come back can continue, if their server does not know: they may be ahead of it, or their
/// numbers may be of another time. So they need not wait for an item that says so. After an interruption thousands come back at once: those that come while a
/// question is under way share its answer, and those within a second after it need none. Safe for concurrent use.
/// </summary>
/// <param name="backplane">The backplane.</param>
/// <param name="channel">Its name of the topic.</param>
/// <param name="retained">Items that it is asked for.</param>
internal sealed class ResumptionQuestions<T>(MuxBackplane backplane, string channel, int retained)
{
    /// <summary>Milliseconds for which an answer holds for further subscribers: a backplane may lose its numbers without an interruption.</summary>
    private const long FreshFor = 1_000;

    private readonly Lock _gate = new(); // guards what is below, and the subscribers of questions; a lock of a topic may be held before
    private Question? _open; // under way
    private long _last; // number of the last item, in the last answer
    private long _answeredAt = long.MinValue / 2;

    /// <summary>Asks for a subscriber, unless that is known already. Its <see cref="TopicReader{T}.Question"/> ends its part.</summary>
    /// <param name="reader">The subscriber, which has joined.</param>
    /// <param name="isInForce">True if this server gets all items that the backplane has when it answers, and did not have before.</param>
    /// <exception cref="Exception">Of the backplane.</exception>
    public void Ask(TopicReader<T> reader, bool isInForce)
    {
        bool isKnown;
        lock (_gate) isKnown = isInForce && reader.Resumption!.After <= _last && Environment.TickCount64 - _answeredAt < FreshFor;
        if (isKnown) return;
        var asker = new Asker(this, reader) { IsInForce = isInForce };
        reader.Question = asker;
        Add([asker]);
    }

    /// <summary>The backplane is interrupted: what it has answered holds no longer.</summary>
    public void Forget()
    {
        lock (_gate) _answeredAt = long.MinValue / 2;
    }

    private void Add(List<Asker> askers)
    {
        Question question;
        bool isFirst;
        lock (_gate)
        {
            isFirst = _open is null;
            question = _open ??= new Question(this);
            foreach (var asker in askers)
            {
                if (asker.HasLeft) continue;
                asker.Question = question;
                asker.IsSure |= isFirst;
                question.Askers.Add(asker);
            }
        }

        if (!isFirst) return;
        try
        {
            question.Subscription = backplane.Subscribe(channel, question, retained);
        }
        catch
        {
            var others = End(question);
            others.RemoveAll(askers.Contains);
            AddAgain(others); // they joined meanwhile, and their callers cannot learn of this
            throw;
        }

        EndIfOver(question);
    }

    /// <summary>Asks for subscribers whose callers have them already.</summary>
    private void AddAgain(List<Asker> askers)
    {
        if (askers.Count == 0) return;
        try
        {
            Add(askers);
        }
        catch (Exception)
        {
            // Of a backplane that ends, which must not learn of it here. They wait for an item that says whether they can continue.
        }
    }

    private void OnAnswered(Question question, BackplaneSnapshot snapshot)
    {
        long last = snapshot.LastNumber;
        long next = snapshot.Retained.Count > 0 ? snapshot.Retained[0].Number : last + 1;
        List<Asker> askers;
        List<Asker> again = [];
        lock (_gate)
        {
            if (_open != question) return;
            (_last, _answeredAt) = (last, Environment.TickCount64);
            askers = [.. question.Askers];
            EndLocked(question); // under the same lock: a subscriber that joined in between would get no answer
        }

        EndIfOver(question);
        foreach (var asker in askers)
        {
            long after = asker.Reader.Resumption!.After;
            if (after > last && !asker.IsSure) again.Add(asker);
            else if (after > last) asker.Reader.Topic.FailResumption(asker.Reader, last);
            else if (after < last && !asker.IsInForce && next > after + 1) asker.Reader.Topic.FailResumption(asker.Reader, next);
            asker.IsSure = true; // what is asked from now on is asked after it has come
        }

        AddAgain(again);
    }

    private void OnInterrupted(Question question)
    {
        lock (_gate)
        {
            foreach (var asker in question.Askers) asker.IsInForce = false;
        }
    }

    private void Leave(Asker asker)
    {
        Question? question;
        lock (_gate)
        {
            asker.HasLeft = true;
            question = asker.Question;
            if (question is null || !question.Askers.Remove(asker) || question.Askers.Count > 0) return;
            EndLocked(question);
        }

        EndIfOver(question);
    }

    /// <returns>The subscribers that it was asked for.</returns>
    private List<Asker> End(Question question)
    {
        List<Asker> askers;
        lock (_gate)
        {
            askers = [.. question.Askers];
            EndLocked(question);
        }

        EndIfOver(question);
        return askers;
    }

    private void EndLocked(Question question)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_open == question) _open = null;
        question.IsOver = true;
        question.Askers.Clear();
    }

    /// <summary>Ends the subscription of a question, which may be over before it is known.</summary>
    private void EndIfOver(Question question)
    {
        IDisposable? subscription;
        lock (_gate) subscription = question.IsOver ? question.Subscription : null;
        subscription?.Dispose();
    }

    /// <summary>One question at the backplane.</summary>
    private sealed class Question(ResumptionQuestions<T> owner) : BackplaneSubscriber
    {
        public HashSet<Asker> Askers { get; } = [];

        public IDisposable? Subscription { get; set; }

        public bool IsOver { get; set; }

        public override void OnMessage(BackplaneMessage message)
        {
            // The topic gets it by its own subscription.
        }

        public override void OnInterrupted() => owner.OnInterrupted(this);

        public override void OnSynced(BackplaneSnapshot snapshot) => owner.OnAnswered(this, snapshot);
    }

    /// <summary>A subscriber that waits for an answer.</summary>
    private sealed class Asker(ResumptionQuestions<T> owner, TopicReader<T> reader) : IDisposable
    {
        public TopicReader<T> Reader => reader;

        public Question? Question { get; set; }

        public bool IsInForce { get; set; }

        /// <summary>True if the question was asked after it had come: else the answer may be older than the last item that it has.</summary>
        public bool IsSure { get; set; }

        public bool HasLeft { get; set; }

        public void Dispose() => owner.Leave(this);
    }
}

/// <summary>
/// A subscriber that comes back: the next item that it gets is the one behind the last that it has, or it fails. Guarded by the lock of the topic.
/// </summary>
/// <param name="after">Number of the last item that it has.</param>
internal sealed class TopicResumption(long after)
{
    private int _left; // items of lower numbers that may come before the next one
    private long _found; // number that shows the gap

    public long After => after;

    /// <summary>True if the next item was found.</summary>
    public bool IsOver { get; private set; }

    /// <summary>True if there is a gap.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>True if only the backplane knows whether the next item comes: this server does not have the last one of the subscriber yet.</summary>
    public bool IsUnknown { get; private set; }

    /// <summary>Its place is that of the next item.</summary>
    public void Place() => (_left, HasFailed, IsUnknown) = (0, false, false);

    /// <summary>Its place is not known here.</summary>
    /// <param name="mostKnown">Most items that may come and that it has.</param>
    public void Await(int mostKnown) => (_left, HasFailed, IsUnknown) = (mostKnown, false, true);

    /// <summary>There is a gap.</summary>
    /// <param name="found">Number that shows it: that of a further item, or the last one of a topic with other numbers.</param>
    public void Fail(long found) => (_found, HasFailed, IsUnknown) = (found, true, false);

    /// <summary>Leaves out what the subscriber has.</summary>
    /// <param name="items">Items of the topic, in order.</param>
    /// <param name="count">Number of items; afterwards, of those that are new to the subscriber.</param>
    /// <returns>False if items between are missing.</returns>
    public bool TryContinue<T>(Span<TopicItem<T>?> items, ref int count)
    {
        int known = 0;
        for (; known < count; known++)
        {
            long number = items[known]!.Number;
            IsOver = number == after + 1;
            if (IsOver) break;
            if (number <= after && _left-- > 0) continue;
            Fail(number);
            count = 0;
            return false;
        }

        items[known..count].CopyTo(items);
        count -= known;
        return true;
    }

    public MuxException Failure()
    {
        const string Advice = "Load what is missing by another method, and subscribe without a number, as MuxTopic.FollowAsync does by itself";
        string why = OwnNumbers.Have(after)
            ? $"a server gave this number while the topic was interrupted, and other servers do not know it. {Advice}."
            : OwnNumbers.Have(_found)
                ? $"the topic is interrupted, and items of other servers may be missing. {Advice}."
                : _found > after
                    ? $"items {after + 1} to {_found - 1} are not kept. {Advice}; or raise Retain of the topics."
                    : $"its numbers have begun again, and are at {_found}. {Advice}.";
        return new MuxException(MuxStatus.OutOfRange, $"The topic cannot continue after item {after}: {why}");
    }
}

/// <summary>
/// Numbers of items that a server delivers without their backplane. They are above all that a backplane gives, and begin at random: so none stands for items
/// of two servers, of two interruptions, or of the backplane, and a subscriber that has one is never continued at a wrong place.
/// </summary>
internal static class OwnNumbers
{
    /// <summary>Backplanes give lower numbers.</summary>
    private const long Lowest = 1L << 62;

    /// <summary>Gets the number before the first one of a run of items, whose further numbers are each greater by 1.</summary>
    public static long NewRun() => Lowest + (BinaryPrimitives.ReadInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(long))) >>> 3);

    public static bool Have(long number) => number >= Lowest;
}
