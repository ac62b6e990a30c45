namespace Mux.Generators.Tests.Messages;

/// <summary>Reaches the messages of the codec tests.</summary>
[MuxService("zoo")]
internal interface IZoo
{
    ValueTask<Specimen> Specimen(Specimen value);

    ValueTask<Bed> Bed(Bed value);

    ValueTask<Secret> Secret(Secret value);

    ValueTask<Preset> Preset(Preset value);

    ValueTask<Interrupted> Interrupted(Interrupted value);

    ValueTask<Link> Link(Link value);

    ValueTask<Page<Leaf>> Page(Page<Leaf> value);

    ValueTask<Options> Options(Options value);

    ValueTask<Converted> Converted(Converted value);

    ValueTask<Point> Point(Point value);

    ValueTask<List<string>> Texts(List<string> value);

    ValueTask<int[]> Numbers(int[] value);

    ValueTask<string?> Text(string? value);

    ValueTask<Grade?> Grade(Grade? value);

    ValueTask<Almanac> Almanac(Almanac value);

    ValueTask<Occasion> Occasion(Occasion value);

    ValueTask<Register> Register(Register value);
}
