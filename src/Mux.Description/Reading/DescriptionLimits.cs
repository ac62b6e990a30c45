namespace Mux.Description.Reading;

/// <summary>Limits for descriptions, which may come from a peer.</summary>
internal static class DescriptionLimits
{
    public const int Bytes = 4 << 20;
    public const int Files = 10_000;
    public const int Types = 10_000;
    public const int Members = 100_000; // fields, values and methods: each costs more memory than bytes
    public const int Fields = 10_000; // of one message: JSON of an empty one costs a step for each
    public const int CommentLines = 100_000; // each is indented when it is written as text
    public const int Depth = 64;
    public const int NameLength = 255;
    public const int FullNameLength = 1_023;
    public const int WireNameLength = 127;
    public const int FieldNumber = (1 << 29) - 1;
}
