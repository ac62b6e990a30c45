using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

internal sealed class AdminImplementation : IAdmin
{
    /// <summary>What was called, in order.</summary>
    public List<string> Log { get; } = [];

    string IReader.Prefix => throw new InvalidOperationException("It is the caller's.");

    public ValueTask<string> Read(int number)
    {
        Log.Add("Read");
        return number < 0 ? throw new MuxException(MuxStatus.NotFound, "none") { Detail = new Leaf("lost", number) } : new($"{number}");
    }

    ValueTask<string> ILeft.Side() => new("left");

    ValueTask<string> IRight.Side() => new("right");

    public ValueTask<int> Clear(int from) => from < 0 ? throw new MuxException(MuxStatus.NotFound, "none") { Detail = new Link() } : new(from);

    public ValueTask<Leaf?> Find(string key, CancellationToken cancellationToken = default) => new(key.Length == 0 ? null : new Leaf(key, 1));

    public ValueTask<int> Put(string key, List<Leaf> items) => new(items.Count);

    public async IAsyncEnumerable<Leaf> List(IAsyncEnumerable<string> keys)
    {
        await foreach (var key in keys) yield return new Leaf(key, 2);
    }
}
