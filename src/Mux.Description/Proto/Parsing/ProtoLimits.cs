namespace Mux.Description.Proto.Parsing;

/// <summary>Limits for files, which may come from strangers. Descriptors have the same limits.</summary>
internal static class ProtoLimits
{
    public const int FileCharacters = 4 << 20;
    public const int AllCharacters = 64 << 20;
    public const int Files = 1_000;
    public const int Types = 10_000;
    public const int Members = 100_000; // fields, values, methods, ranges, options and the fields in them
    public const int Depth = 64;
    public const int PackageDepth = 100; // each lookup of a name walks up all of them
    public const int NameLength = 255;
    public const int FullNameLength = 1_023;
    public const int FieldNumber = (1 << 29) - 1;
    public const int Faults = 1_000;
}
