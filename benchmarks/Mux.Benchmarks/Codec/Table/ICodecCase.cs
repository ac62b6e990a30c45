namespace Mux.Benchmarks.Codec.Table;

/// <summary>One message and one library, as a type, so that the loop around it is compiled for it alone.</summary>
internal interface ICodecCase
{
    /// <returns>The bytes that were written, to memory that is there already.</returns>
    static abstract int Encode();

    /// <returns>A new object, made of bytes in one array.</returns>
    static abstract object Decode();
}
