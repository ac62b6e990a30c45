using Mux.Description.Tests.Google;
using Mux.Serialization.Oracles.Shapes;

namespace Mux.Description.Tests;

/// <summary>The descriptions of the messages that Google's library has written and read byte for byte as the codecs do: Mux.Serialization.Tests holds that.</summary>
public sealed class ShapeTests
{
    private static readonly Lazy<GoogleFiles> s_files = new(static () => GoogleFiles.Of(ContractSet.Of<IShapes>()));

    public static TheoryData<Shape> Shapes => [.. ShapeCatalog.All];

    [Theory]
    [MemberData(nameof(Shapes))]
    public void A_message_is_described_as_the_file_from_which_Google_writes_the_same_bytes(Shape shape)
    {
        var described = s_files.Value.Service("shapes").FindMethodByName(shape.Name).InputType;
        Assert.Empty(WireComparison.Differences(shape.Descriptor, described));
    }
}
