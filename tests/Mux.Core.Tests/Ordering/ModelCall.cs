using Mux.Engine;

namespace Mux.Core.Tests.Ordering;

/// <summary>A call of the model: notes when it gets its key.</summary>
internal sealed class ModelCall(ulong key, int number, List<int> started) : OrderedCall(key)
{
    /// <summary>True if no thread takes it.</summary>
    public bool IsRefused { get; set; }

    public KeyEntry? Reason { get; private set; }

    public int Number => number;

    public override bool TryStart()
    {
        if (!IsRefused) started.Add(number);
        return !IsRefused;
    }

    public override void Run() => started.Add(number);

    public bool TryGiveUp() => TryEnd();

    protected override void Refuse(KeyEntry reason) => Reason = reason;
}
