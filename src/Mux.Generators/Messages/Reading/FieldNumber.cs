namespace Mux.Generators.Messages.Reading;

/// <summary>The numbers that protobuf has for fields: three bits of a tag of 32 are the wire type.</summary>
internal static class FieldNumber
{
    public const int Max = (1 << 29) - 1;

    /// <summary>
    /// Up to <see cref="LastOfProtobuf"/>: kept by protobuf for itself. protobuf-net takes them, so they are not refused, only not given away.
    /// </summary>
    public const int FirstOfProtobuf = 19000;

    public const int LastOfProtobuf = 19999;
}
