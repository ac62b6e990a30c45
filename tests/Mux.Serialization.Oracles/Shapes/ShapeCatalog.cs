namespace Mux.Serialization.Oracles.Shapes;

/// <summary>All shapes that are compared with Google's library.</summary>
public static class ShapeCatalog
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        new Shape.Of<Protos.Numbers>("Numbers"),
        new Shape.Of<Protos.OptionalNumbers>("OptionalNumbers"),
        new Shape.Of<Protos.RequiredNumbers>("RequiredNumbers"),
        new Shape.Of<Protos.NumberLists>("NumberLists"),
        new Shape.Of<Protos.PackedNumbers>("PackedNumbers"),
        new Shape.Of<Protos.Texts>("Texts"),
        new Shape.Of<Protos.Branch>("Branch"),
        new Shape.Of<Protos.Groups>("Groups"),
        new Shape.Of<Protos.Defaults>("Defaults"),
        new Shape.Of<Protos.Link>("Link"),
        new Shape.Of<Protos.PageOfLeaf>("Page"),
        new Shape.Of<Protos.ModernValues>("ModernValues"),
        new Shape.Of<Protos.MiddleValues>("MiddleValues"),
        new Shape.Of<Protos.OldValues>("OldValues"),
        new Shape.Of<Protos.GroupedTimes>("GroupedTimes"),
        new Shape.Of<Protos.Collections>("Collections"),
        new Shape.Of<Protos.Stacks>("Stacks", Comparison.AsWritten),
        new Shape.Of<Protos.Maps>("Maps"),
        new Shape.Of<Protos.Pairs>("Pairs", Comparison.InAnyForm),
        new Shape.Of<Protos.Nulls>("Nulls"),
        new Shape.Of<Protos.GroupedNulls>("GroupedNulls"),
        new Shape.Of<Protos.Animal>("Animal", Comparison.InAnyForm),
        new Shape.Of<Protos.Tuples>("Tuples"),
        new Shape.Of<Protos.Conditions>("Conditions", Comparison.InAnyForm),
        new Shape.Of<Protos.Surrogates>("Surrogates"),
        new Shape.Of<Protos.Keeping>("Keeping"),
        new Shape.Of<Protos.RootNumber>("RootNumber"),
        new Shape.Of<Protos.RootNumbers>("RootNumbers"),
        new Shape.Of<Protos.RootTexts>("RootTexts"),
        new Shape.Of<Protos.RootMap>("RootMap"),
    ];
}
