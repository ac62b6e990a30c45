namespace Mux.Serialization.Oracles.Contracts;

public enum Level
{
    None = 0,
    Good = 1,
    Highest = int.MaxValue,
    Bad = -1,
    Lowest = int.MinValue,
}

public enum TinyEnum : sbyte
{
    None = 0,
}

public enum ByteEnum : byte
{
    None = 0,
}

public enum ShortEnum : short
{
    None = 0,
}

public enum UShortEnum : ushort
{
    None = 0,
}

public enum UIntEnum : uint
{
    None = 0,
}

public enum LongEnum : long
{
    None = 0,
}

public enum ULongEnum : ulong
{
    None = 0,
}
