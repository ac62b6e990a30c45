namespace Mux.Generators.Messages.Reading;

/// <summary>Range of field numbers in protobuf: three bits of a tag of 32 are the wire type.</summary>
internal static class FieldNumber
{
    public const int Max = (1 << 29) - 1;

    /// <summary>
    /// Start of the numbers that protobuf reserves for itself, up to <see cref="LastOfProtobuf"/>. protobuf-net accepts them, so they are not rejected, but
    /// never assigned.
    /// </summary>
    public const int FirstOfProtobuf = 19000;

    public const int LastOfProtobuf = 19999;
}
