using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Reading;

namespace Mux.Description.Joining;

/// <summary>Reads generated descriptors of services, whose types are not resolved yet.</summary>
internal static class PartOptions
{
    /// <summary>Name of the descriptors, for errors.</summary>
    public const string Place = "a generated descriptor";

    /// <summary>Gets what Mux adds to the options of a service.</summary>
    /// <param name="service">The ServiceDescriptorProto.</param>
    /// <returns>The wire name, null if it is the name in protobuf; and whether the caller serves it.</returns>
    public static (string? WireName, bool IsCallback) OfService(ReadOnlySpan<byte> service)
    {
        string? wireName = null;
        bool isCallback = false;
        var reader = new WireReader(service, Place);
        while (reader.Read())
        {
            if (reader.Field != 3) continue;
            var all = new WireReader(reader.Content(), Place);
            while (all.Read())
            {
                if (all.Field != OptionsReader.Extension) continue;
                var own = new WireReader(all.Content(), Place);
                while (own.Read())
                {
                    if (own.Field == 1) wireName = own.Text();
                    else if (own.Field == 2) isCallback = own.Flag();
                }
            }
        }

        return (wireName, isCallback);
    }

    /// <summary>Reads a method.</summary>
    /// <param name="descriptor">The MethodDescriptorProto.</param>
    public static ProtoMethod MethodOf(ReadOnlySpan<byte> descriptor)
    {
        var method = new ProtoMethod();
        var reader = new WireReader(descriptor, Place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 1: method.Name = reader.Text(); break;
                case 2: method.RequestName = reader.Text().TrimStart('.'); break;
                case 3: method.ResponseName = reader.Text().TrimStart('.'); break;
                case 4: OptionsReader.Read(reader.Content(), method, Place); break;
                case 5: method.IsRequestStream = reader.Flag(); break;
                case 6: method.IsResponseStream = reader.Flag(); break;
            }
        }

        return method;
    }
}
