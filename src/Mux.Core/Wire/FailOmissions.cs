namespace Mux.Wire;

/// <summary>What a FAIL could not take along: it is one frame of bounded size, whatever the handler adds to it.</summary>
[Flags]
internal enum FailOmissions
{
    None = 0,
    Metadata = 1,
    Detail = 2,
}
