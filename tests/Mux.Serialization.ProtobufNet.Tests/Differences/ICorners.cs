namespace Mux.Serialization.ProtobufNet.Tests.Differences;

[MuxService("corners")]
internal interface ICorners
{
    ValueTask Corners(Corners message);

    ValueTask Segments(Segments message);

    ValueTask WrappedValues(WrappedValues values);
}
