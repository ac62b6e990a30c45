using System.Collections.Concurrent;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Ordering;

/// <summary>Calls of a key have it one after the other, as they came.</summary>
public sealed class KeyTableTests
{
    private readonly List<int> _started = [];
    private int _count;

    [Fact]
    public void A_key_goes_to_the_calls_in_the_order_in_which_they_came()
    {
        var sut = new KeyTable();
        Assert.Equal(KeyEntry.Runs, sut.TryEnter(5, out int place));
        Assert.Equal(KeyEntry.Waits, sut.TryEnter(5, out _));
        for (int i = 0; i < 3; i++) Assert.Equal(KeyEntry.Waits, sut.Enter(Call(5)));
        Assert.Equal((1, 3), (sut.Keys, sut.Waiting));

        for (int i = 0; i < 3; i++) sut.Leave(place);

        Assert.Equal([0, 1, 2], _started);
        sut.Leave(place);
        Assert.Equal((0, 0), (sut.Keys, sut.Waiting));
    }

    [Fact]
    public void A_call_that_was_given_up_is_passed_over()
    {
        var sut = new KeyTable();
        sut.TryEnter(5, out int place);
        ModelCall[] calls = [Call(5), Call(5), Call(5)];
        foreach (var call in calls) sut.Enter(call);
        calls[0].TryGiveUp(); // and is still in the queue
        calls[1].TryGiveUp();
        sut.Withdraw(calls[1]);
        Assert.Equal(2, sut.Waiting);

        sut.Leave(place);

        Assert.Equal([2], _started);
        Assert.False(calls[2].TryGiveUp());
    }

    [Fact]
    public void A_call_that_was_given_up_before_it_came_takes_no_key()
    {
        var sut = new KeyTable();
        var call = Call(5);
        call.TryGiveUp();
        Assert.Equal(KeyEntry.Over, sut.Enter(call));
        Assert.Equal(0, sut.Keys);
    }

    [Fact]
    public void A_call_that_no_thread_takes_leaves_the_key_to_the_next()
    {
        var sut = new KeyTable();
        sut.TryEnter(5, out int place);
        var refused = Call(5);
        refused.IsRefused = true;
        sut.Enter(refused);
        sut.Enter(Call(5));

        sut.Leave(place);

        Assert.Equal([1], _started);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void A_key_takes_as_many_calls_as_allowed(int most)
    {
        var sut = new KeyTable(maxCallsOfKey: most);
        sut.TryEnter(5, out int place);
        for (int i = 1; i < most; i++) Assert.Equal(KeyEntry.Waits, sut.Enter(Call(5)));
        var refused = Call(5);

        refused.Continue(sut.Enter(refused));

        Assert.Equal((KeyEntry.KeyIsFull, 1), (refused.Reason, sut.Refused));
        Assert.Equal(KeyEntry.Runs, sut.TryEnter(6, out _));
        if (most == 1) return;
        sut.Leave(place);
        Assert.Equal(KeyEntry.Waits, sut.Enter(Call(5)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1_000)]
    [InlineData(KeyTable.DefaultMaxKeys)]
    public void As_many_keys_have_calls_as_allowed(int most)
    {
        var sut = new KeyTable(most);
        var places = new int[most];
        for (int key = 0; key < most; key++) Assert.Equal(KeyEntry.Runs, sut.TryEnter((ulong)key, out places[key]));

        Assert.Equal(KeyEntry.TooManyKeys, sut.TryEnter(ulong.MaxValue, out _));
        Assert.Equal(KeyEntry.Waits, sut.TryEnter(0, out _));
        Assert.Equal((most, 1), (sut.Keys, sut.Refused));
        foreach (int place in places) sut.Leave(place);

        Assert.Equal(0, sut.Keys);
        Assert.Equal(KeyEntry.Runs, sut.TryEnter(ulong.MaxValue, out _));
    }

    /// <summary>Against a model that has a list for each key.</summary>
    [Fact]
    public void Random_calls_have_their_keys_as_in_the_model()
    {
        const int Steps = 200_000, Keys = 20, MostOfKey = 6, MostKeys = 12;
        var random = new Random(TestSeed.Next());
        var sut = new KeyTable(MostKeys, MostOfKey);
        var model = Enumerable.Range(0, Keys).Select(static _ => new List<ModelCall>()).ToArray(); // the first one has the key
        for (int step = 0; step < Steps; step++)
        {
            int key = random.Next(Keys);
            var calls = model[key];
            int open = model.Count(static list => list.Count > 0);
            switch (random.Next(4))
            {
                case 0 or 1:
                    var call = Call((ulong)key);
                    call.IsRefused = random.Next(10) == 0;
                    bool isOver = random.Next(20) == 0 && call.TryGiveUp();
                    var entry = sut.Enter(call);
                    Assert.Equal(isOver ? KeyEntry.Over : calls.Count >= MostOfKey ? KeyEntry.KeyIsFull : calls.Count > 0 ? KeyEntry.Waits
                        : open >= MostKeys ? KeyEntry.TooManyKeys : KeyEntry.Runs, entry);
                    if (entry is KeyEntry.Runs or KeyEntry.Waits) calls.Add(call);
                    break;
                case 2 when calls.Count > 0:
                    _started.Clear();
                    int place = calls[0].Place;
                    do calls.RemoveAt(0);
                    while (calls.Count > 0 && calls[0].IsRefused);
                    sut.Leave(place);
                    Assert.Equal(calls.Take(1).Select(static next => next.Number), _started);
                    break;
                case 3 when calls.Count > 1:
                    int at = random.Next(1, calls.Count);
                    Assert.True(calls[at].TryGiveUp());
                    sut.Withdraw(calls[at]);
                    calls.RemoveAt(at);
                    break;
            }

            if (step % 100 == 0) Assert.Equal((model.Count(static list => list.Count > 0), model.Sum(static list => Math.Max(0, list.Count - 1))), (sut.Keys, sut.Waiting));
        }
    }

    /// <summary>Threads that enter, give up and leave: at any time one call has a key, and none is forgotten.</summary>
    [Fact]
    public async Task Racing_calls_have_a_key_one_at_a_time()
    {
        const int Threads = 4, CallsEach = 20_000, Keys = 3;
        var sut = new KeyTable();
        int[] running = new int[Keys];
        int overlaps = 0, over = 0, ran = 0;
        var seeds = new Random(TestSeed.Next());
        var threads = Enumerable.Range(0, Threads).Select(_ => seeds.Next()).Select(seed => new Thread(() =>
        {
            var random = new Random(seed);
            for (int i = 0; i < CallsEach; i++)
            {
                int key = random.Next(Keys);
                var call = new RacingCall((ulong)key, self =>
                {
                    if (Interlocked.Increment(ref running[key]) != 1) Interlocked.Increment(ref overlaps);
                    Interlocked.Increment(ref ran);
                    Interlocked.Decrement(ref running[key]);
                    sut.Leave(self.Place);
                });
                call.Continue(sut.Enter(call));
                if (random.Next(4) != 0 || !call.TryGiveUp()) continue;
                sut.Withdraw(call);
                Interlocked.Increment(ref over);
            }
        })).ToArray();
        foreach (var thread in threads) thread.Start();
        foreach (var thread in threads) thread.Join();
        await Eventually.Holds(HaveAllRun, () => $"all calls to run; {sut.Waiting} wait for {sut.Keys} keys");

        Assert.Equal(0, overlaps);
        Assert.Equal(Threads * CallsEach - sut.Refused, ran + over);

        bool HaveAllRun()
        {
            RacingCall.RunAll();
            return sut.Keys == 0;
        }
    }

    private ModelCall Call(ulong key) => new(key, _count++, _started);

    /// <summary>Runs when a thread of the test takes it out of a queue, as workers do.</summary>
    private sealed class RacingCall(ulong key, Action<OrderedCall> run) : OrderedCall(key)
    {
        private static readonly ConcurrentQueue<OrderedCall> s_queue = new();

        public static void RunAll()
        {
            while (s_queue.TryDequeue(out var call)) KeyRun.Of(call);
        }

        public bool TryGiveUp() => TryEnd();

        public override bool TryStart()
        {
            s_queue.Enqueue(this);
            if (Random.Shared.Next(2) == 0 && s_queue.TryDequeue(out var other)) ThreadPool.UnsafeQueueUserWorkItem(static other => KeyRun.Of(other), other, preferLocal: false);
            return true;
        }

        public override void Run() => run(this);

        protected override void Refuse(KeyEntry reason)
        {
            // The table has counted it.
        }
    }
}
