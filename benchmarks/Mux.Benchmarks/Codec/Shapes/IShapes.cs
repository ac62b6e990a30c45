namespace Mux.Benchmarks.Codec.Shapes;

/// <summary>Messages unlike the seed's, so that nothing is made fast for those alone. Only their codecs are used.</summary>
[MuxService("shapes")]
public interface IShapes
{
    ValueTask<Widths> Numbers(Widths widths);

    ValueTask<Series> Packed(Series series);

    ValueTask<Order> Nested(Order order);

    ValueTask<Note> LongText(Note note);

    ValueTask<Attachment> Bytes(Attachment attachment);

    ValueTask<Readings> Many(Readings readings);
}
