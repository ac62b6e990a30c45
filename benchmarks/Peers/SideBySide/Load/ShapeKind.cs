namespace SideBySide.Load;

/// <summary>The method that a shape calls.</summary>
internal enum ShapeKind
{
    /// <summary>A small request and a small reply.</summary>
    Search,

    /// <summary>1 MiB there and back.</summary>
    Echo,

    /// <summary>Streams of small items from the server, one after another.</summary>
    Read,
}
