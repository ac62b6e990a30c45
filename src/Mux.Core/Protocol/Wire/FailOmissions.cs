namespace Mux.Protocol;

/// <summary>Parts that a FAIL could not carry: it is one frame of bounded size, whatever the handler adds.</summary>
[Flags]
internal enum FailOmissions
{
    None = 0,
    Metadata = 1,
    Detail = 2,
}
