using System.Runtime.Serialization;

namespace Mux.Generators.Tests.Calls;

/// <summary>An affinity key in each form and each place.</summary>
[MuxService("test.Keys")]
public interface IKeys
{
    Task None(int number);

    Task Text([MuxKey] string? key);

    Task Number([MuxKey] int key);

    Task MaybeNumber([MuxKey] long? key);

    Task Large([MuxKey] ulong key);

    Task Day([MuxKey] DayOfWeek key);

    Task Id([MuxKey] Guid key);

    Task Bytes([MuxKey] byte[]? key);

    Task Memory([MuxKey] ReadOnlyMemory<byte> key);

    Task Second(int number, [MuxKey] string? key, bool isLast);

    Task Message(Visit visit);

    Task MessageAfterOther(int number, Visit? visit);

    Task ParameterFirst(Visit visit, [MuxKey] int key);

    Task Nested(Trip trip);

    Task Positional(Guest guest);

    Task Derived(LongVisit visit);

    Task MaybeStruct(Halt? halt);

    Task Together(Span span);

    [MuxMethod(OneWay = true)]
    Task OneWay([MuxKey] int key);

    IAsyncEnumerable<int> Down([MuxKey] int key);

    Task Up(IAsyncEnumerable<int> items, [MuxKey] int key);
}

[DataContract]
public sealed class Visit
{
    [DataMember(Order = 1), MuxKey]
    public string? Room { get; set; }
}

public abstract class Stay
{
    [MuxKey]
    internal abstract string? Place { get; }
}

[DataContract]
public sealed class LongVisit : Stay
{
    [DataMember(Order = 1)]
    public string? Room { get; set; }

    internal override string? Place => Room;
}

[DataContract]
public sealed class Trip
{
    [DataMember(Order = 1), MuxKey]
    public Visit? First { get; set; }
}

[DataContract]
public sealed record Guest([property: DataMember(Order = 1)][MuxKey] long Number);

[DataContract]
public struct Halt
{
    [DataMember(Order = 1), MuxKey]
    public short Place { get; set; }
}

[DataContract]
public sealed class Span
{
    [DataMember(Order = 1)]
    public int From { get; set; }

    [DataMember(Order = 2)]
    public int To { get; set; }

    [MuxKey]
    internal string Key => $"{From}-{To}";
}
