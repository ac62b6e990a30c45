using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Groups;

/// <summary>A member of groups: notes what it hears, or does what the test says.</summary>
internal sealed class Listener : IHeard
{
    private readonly ConcurrentQueue<int> _numbers = [];

    /// <summary>Runs when a number is heard.</summary>
    public Action<int>? OnNumber { get; set; }

    public int[] Numbers => [.. _numbers];

    public Counter Heard { get; } = new("calls that a member has heard");

    public ConcurrentQueue<byte[]> Pictures { get; } = [];

    public ConcurrentQueue<(string Text, MuxCallOptions Options)> Texts { get; } = [];

    public ValueTask Say(int number)
    {
        _numbers.Enqueue(number);
        OnNumber?.Invoke(number);
        Heard.Add();
        return default;
    }

    public ValueTask Show(int number, byte[] picture)
    {
        Pictures.Enqueue(picture);
        return Say(number);
    }

    public ValueTask Tell(string text, MuxCallOptions? options)
    {
        Texts.Enqueue((text, options!));
        Heard.Add();
        return default;
    }

    public ValueTask<int> Ask(int number, CancellationToken cancellationToken) => new(number + 1);

    public async IAsyncEnumerable<int> Count(int last, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        for (int i = 1; i <= last; i++) yield return i;
        await Task.CompletedTask;
    }

    public async ValueTask<int> Sum(IAsyncEnumerable<int> numbers, CancellationToken cancellationToken) => await numbers.SumAsync(cancellationToken);
}
