namespace Mux.Generators.Messages.Models;

/// <summary>C# types that are one number on the wire. The names are those of the runtime's read methods.</summary>
internal enum ScalarType
{
    Boolean,
    Char,
    SByte,
    Byte,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    IntPtr,
    UIntPtr,
    Single,
    Double,
}
