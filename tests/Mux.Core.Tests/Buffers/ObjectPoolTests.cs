using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Buffers;

public sealed class ObjectPoolTests
{
    [Fact]
    public void An_object_comes_back_on_the_thread_that_returned_it()
    {
        var item = new OneThread();
        ObjectPool<OneThread>.Shared.Return(item);

        Assert.Same(item, ObjectPool<OneThread>.Shared.TryRent());
        Assert.Null(ObjectPool<OneThread>.Shared.TryRent());
    }

    [Fact]
    public void Objects_that_one_thread_only_returns_reach_another_that_only_rents()
    {
        var returned = Enumerable.Range(0, 320).Select(_ => new TwoThreads()).ToList();
        Racers.Run(_ => returned.ForEach(ObjectPool<TwoThreads>.Shared.Return), _ => { });

        var rented = RentAll<TwoThreads>();

        Assert.InRange(rented.Count, 320 - 32, 320); // the last magazine stays with its thread
        Assert.Subset(returned.ToHashSet(), rented);
    }

    [Fact]
    public void It_keeps_a_bounded_number()
    {
        for (int i = 0; i < 100_000; i++) ObjectPool<Many>.Shared.Return(new Many());

        Assert.InRange(RentAll<Many>().Count, 2_048, 2_048 + 32);
    }

    [Fact]
    public void Nothing_is_rented_to_two_at_a_time()
    {
        const int rounds = 100_000;
        int doubles = 0;

        Racers.Run([.. Enumerable.Range(0, 4).Select(thread => new Action<Racers>(_ =>
        {
            var random = new Random(thread);
            var held = new Stack<Shared>();
            for (int i = 0; i < rounds; i++)
            {
                // Threads 0 and 1 mostly rent, 2 and 3 mostly return, so that magazines move between them.
                if (held.Count < 100 && random.Next(10) < (thread < 2 ? 7 : 3))
                {
                    var item = ObjectPool<Shared>.Shared.TryRent() ?? new Shared();
                    if (Interlocked.Exchange(ref item.Rented, 1) == 1) Interlocked.Increment(ref doubles);
                    held.Push(item);
                }
                else
                {
                    var item = held.Count > 0 ? held.Pop() : new Shared { Rented = 1 };
                    if (Interlocked.Exchange(ref item.Rented, 0) == 0) Interlocked.Increment(ref doubles);
                    ObjectPool<Shared>.Shared.Return(item);
                }
            }
        }))]);

        Assert.Equal(0, doubles);
    }

    private static HashSet<T> RentAll<T>()
        where T : class
    {
        var all = new HashSet<T>();
        while (ObjectPool<T>.Shared.TryRent() is { } item) Assert.True(all.Add(item), "An object was rented twice.");
        return all;
    }

    private sealed class OneThread;

    private sealed class TwoThreads;

    private sealed class Many;

    private sealed class Shared
    {
        public int Rented;
    }
}
