using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Written as a number, without a message around it.</summary>
[ProtoContract(Surrogate = typeof(long))]
public readonly record struct Moment(long Ticks)
{
    public static implicit operator long(Moment moment) => moment.Ticks;

    public static implicit operator Moment(long ticks) => new(ticks);
}
