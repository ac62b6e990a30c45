using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

internal sealed class CallsImplementation : ICalls
{
    public List<string> Log { get; } = [];

    public CancellationToken LastToken { get; private set; }

    public ValueTask Nothing()
    {
        Log.Add("Nothing");
        return default;
    }

    public async ValueTask NothingLaterAsync(int count, CancellationToken cancellationToken)
    {
        await Task.Yield();
        LastToken = cancellationToken;
        Log.Add($"Nothing {count}");
    }

    public Task TaskWithoutResultAsync(Leaf leaf, CancellationToken cancellationToken = default)
    {
        LastToken = cancellationToken;
        Log.Add($"Task {leaf.Name}");
        return Task.CompletedTask;
    }

    public ValueTask<Leaf> Message(Leaf leaf) => new(leaf with { Weight = leaf.Weight + 1 });

    public async Task<Leaf> MessageTask(Leaf leaf, CancellationToken cancellationToken)
    {
        await Task.Yield();
        return leaf with { Weight = leaf.Weight + 2 };
    }

    public ValueTask<int> Number() => new(0);

    public Task<string?> JoinAsync(string? left, string? right, List<int> numbers, Leaf? leaf, CancellationToken cancellationToken = default)
    {
        LastToken = cancellationToken;
        return Task.FromResult(left is null ? null : $"{left}|{right ?? "null"}|{string.Join(',', numbers)}|{leaf?.Name ?? "null"}");
    }

    public ValueTask<Point> Struct(Point point) => new(new Point(point.Y, point.X));

    public ValueTask<Point?> MaybeStruct(Point? point) => new(point);

    public ValueTask<byte[]?> Bytes(byte[]? bytes) => new(bytes);

    public ValueTask<List<Leaf>> Leaves(Leaf[] leaves) => new([.. leaves.Reverse()]);

    public ValueTask FireAndForget(string text)
    {
        Log.Add($"Fire {text}");
        return default;
    }

    public Task FireTaskAsync()
    {
        Log.Add("FireTask");
        return Task.CompletedTask;
    }

    public ValueTask<int> Number(string text) => new(text.Length);

    public ValueTask<int> @event(int @class, int @params) => new(@class - @params);

    public async ValueTask Fail(string kind)
    {
        if (kind == "late") await Task.Yield();
        throw new InvalidOperationException(kind);
    }
}
